/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.kafka;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Sends the messages of an event type to another topic than the convention says.
 * Properties under {@code outbox.kafka.topics} win over it.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface KafkaDestination {

	/**
	 * Name of the topic, with the same placeholders as {@code outbox.kafka.topic}.
	 * @return the topic
	 */
	String topic();

}
