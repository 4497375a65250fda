/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.rabbit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Sends the messages of an event type somewhere else than the convention says. Properties
 * under {@code outbox.rabbit.routes} win over it.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface RabbitDestination {

	/**
	 * Name of the exchange.
	 * @return the exchange, or an empty string for {@code outbox.rabbit.exchange}
	 */
	String exchange() default "";

	/**
	 * Routing key.
	 * @return the routing key, or an empty string for the name of the message
	 */
	String routingKey() default "";

}
