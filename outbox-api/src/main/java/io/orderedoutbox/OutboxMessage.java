/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks an event type as an outbox message and gives it its name.
 * <p>
 * An instance published with
 * {@link org.springframework.context.ApplicationEventPublisher#publishEvent(Object)
 * publishEvent} is stored in the outbox as part of the current transaction. A type whose
 * {@link PartitionKey} is annotated is an outbox message without this annotation too.
 * <p>
 * An annotation of your own may carry this one, and then needs runtime retention.
 * <p>
 * The name is what consumers see (the AMQP {@code type} and, by convention, the routing
 * key). The name is part of your public contract, so that you can rename or move a class
 * and consumers do not notice.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface OutboxMessage {

	/**
	 * Name of the message: lower-case segments of letters, digits, {@code -} and
	 * {@code _}, joined by dots, for example {@code order.placed}; at most 190
	 * characters.
	 * @return the name, or an empty string to derive it from the simple name of the class
	 * ({@code OrderPlaced} becomes {@code order.placed})
	 */
	String value() default "";

	/**
	 * Whether messages of this type belong to an order. A type that says {@code false}
	 * has no {@link PartitionKey}, on purpose: its messages are accepted in ordered mode
	 * too, are relayed in parallel with everything else, and never wait for another
	 * message. A {@link PartitionKeyStamp} given at the call still wins.
	 * @return {@code false} for a type without a partition key
	 */
	boolean ordered() default true;

	/**
	 * Name of the outbox that stores events of this type when they are published with
	 * {@code publishEvent} or with the {@link Outbox} that the application has not
	 * qualified, in an application with several outboxes. The transaction must be one of
	 * that outbox's {@code DataSource}. A call of an {@link Outbox} that is qualified
	 * with a name goes there all the same.
	 * @return the name below {@code outbox.named}, {@code default} for the one without a
	 * name, or an empty string to leave the choice to the configuration
	 */
	String outbox() default "";

}
