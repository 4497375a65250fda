/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.listen;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.aot.hint.annotation.Reflective;

/**
 * A method of a bean that takes messages of the outbox, after the transaction that
 * published them has committed. It takes the payload, and then a {@link ReceivedMessage}
 * if it wants to know more.
 * <p>
 * Guaranteed: each message is handed to each of its listeners at least once, and the
 * messages of a partition key one after the other, in the order of the commits. If a
 * listener throws, whatever it throws, the message has failed: it is handed to all of its
 * listeners again, later each time, and nothing behind it of its key is handed over
 * before.
 * <p>
 * Not guaranteed: that a message is handed over once. It is handed over again after a
 * crash, and, while it is still being worked on, by another instance if a listener takes
 * longer than {@code outbox.relay.lock-timeout}. A listener that must not repeat its work
 * uses the {@code Inbox}, with the id of the message.
 */
@Documented
@Reflective(ListenerReflection.class)
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface OutboxListener {

	/**
	 * Names of messages.
	 * @return the names; none for the name that events of the type of the payload have
	 */
	String[] value() default {};

}
