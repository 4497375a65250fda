/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.condition;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.context.annotation.Conditional;

/**
 * Beans that are there if a switch is on when the application starts, or if the
 * application has a bean of some type, here or in a parent context. What
 * {@link ConditionalOnSwitch} says of an application that is processed ahead of time is
 * true of these, too.
 */
@Target({ ElementType.TYPE, ElementType.METHOD })
@Retention(RetentionPolicy.RUNTIME)
@Conditional(SwitchOrBeanCondition.class)
public @interface ConditionalOnSwitchOrBean {

	/**
	 * The switch.
	 */
	Switch value();

	/**
	 * The type of the bean.
	 */
	Class<?> type();

}
