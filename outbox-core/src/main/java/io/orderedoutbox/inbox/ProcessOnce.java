/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes a {@code @RabbitListener} process each message once, however often it is
 * delivered.
 * <p>
 * Each call runs in a transaction, which also stores the id of the message. Guaranteed:
 * what the method writes to the database of the inbox is committed together with that
 * record, or not at all. A message whose record is there is acknowledged and not handed
 * to the method again. If the method throws, whatever it throws, the transaction is
 * rolled back, and the listener container decides what becomes of the message. If the
 * transaction was the victim of a deadlock, waited too long for a lock, or found a row
 * changed that it had read (an optimistic lock), the method is called again after some
 * ten milliseconds, three times at most.
 * <p>
 * Not guaranteed: that what the method does elsewhere, such as a call to another service,
 * happens once. And a record is kept for {@code outbox.inbox.retention} only.
 * <p>
 * On a class it applies to all methods that listen. The application does not start with a
 * method whose work goes on after it has returned, that takes a list, that acknowledges
 * by itself, that is private, final or static, or that nothing listens with.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.METHOD, ElementType.TYPE })
public @interface ProcessOnce {

	/**
	 * Name of the consumer. Two consumers of one message each process it once. The name
	 * is stored with every message: if it changes, everything counts as not processed.
	 * @return letters, digits, dots, hyphens and underscores, at most 100
	 */
	String value();

}
