/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.condition;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Conditional;

/**
 * Beans of the library that are there if a switch is on when the application starts. A
 * {@link ConditionalOnProperty} would be decided for ever when the application is
 * processed ahead of time: there this one lets the beans be generated, and
 * {@link SwitchedOffBeans} removes them at the start.
 */
@Target({ ElementType.TYPE, ElementType.METHOD })
@Retention(RetentionPolicy.RUNTIME)
@Conditional(SwitchCondition.class)
public @interface ConditionalOnSwitch {

	/**
	 * The switch.
	 */
	Switch value();

}
