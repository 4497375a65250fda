/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.condition;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Conditional;

/**
 * A bean of the library that an application cannot replace, and that a child context does
 * not make once more when its parent has it: a hierarchy of contexts has one outbox. What
 * an application can replace has {@link ConditionalOnMissingBean} instead, and is listed
 * in docs/extending.md.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Conditional(NotInParentContextCondition.class)
public @interface NotInParentContext {

}
