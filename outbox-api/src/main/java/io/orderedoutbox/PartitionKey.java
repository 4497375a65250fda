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
 * Tells which value of an event is its partition key: the identity of the aggregate whose
 * messages must stay in order.
 * <p>
 * Put it on one record component, field or getter, or on the type with a SpEL expression
 * that is evaluated against the event:
 *
 * <pre class="code">
 * public record OrderPlaced(&#64;PartitionKey UUID orderId, BigDecimal total) {}
 *
 * &#64;PartitionKey("order.id")
 * public record OrderShipped(Order order) {}
 * </pre>
 *
 * In ordered mode, messages with the same key reach the broker in the order of their
 * commits; messages with different keys are not ordered against each other. A key is the
 * {@code toString()} of the value, at most 255 characters, compared exactly: case,
 * accents and trailing spaces count. Two spellings of one id are two keys.
 * <p>
 * Use a {@code String}, a number, a {@code UUID}, an enum or a value class of these. Of
 * an {@code Optional} and of an {@code AtomicReference} the content is the key, and an
 * empty one is what null is: no key. A value whose text does not identify it is refused:
 * an array, a collection, a map, a supplier, a stream, a proxy, and what has no
 * {@code toString()} of its own.
 * <p>
 * An annotation of your own may carry this one; it needs runtime retention, and means the
 * same on the same places, on a parameter of the constructor that sets a property of this
 * name, and on the type of a member.
 * <p>
 * A {@link PartitionKeyStamp} given at the call wins over this annotation.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.FIELD, ElementType.METHOD, ElementType.TYPE, ElementType.RECORD_COMPONENT })
public @interface PartitionKey {

	/**
	 * SpEL expression that yields the key; only where the annotation is on the type.
	 * @return the expression, empty on a member
	 */
	String value() default "";

}
