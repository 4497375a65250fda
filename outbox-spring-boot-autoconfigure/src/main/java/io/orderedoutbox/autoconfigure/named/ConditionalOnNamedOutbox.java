/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.named;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.orderedoutbox.autoconfigure.condition.Switch;

import org.springframework.context.annotation.Conditional;

/**
 * Beans that are there if the application has outboxes with names. That is no
 * {@link Switch}: each of these outboxes is a bean, and which beans there are is decided
 * when an application is processed ahead of time.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Conditional(OnNamedOutboxCondition.class)
@interface ConditionalOnNamedOutbox {

}
