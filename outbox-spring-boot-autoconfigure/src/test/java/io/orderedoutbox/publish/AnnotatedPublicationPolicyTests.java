/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish;

import io.orderedoutbox.OutboxMessage;
import io.orderedoutbox.PartitionKey;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.context.PayloadApplicationEvent;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which events go to the outbox without an envelope.
 */
@Tag("unit")
class AnnotatedPublicationPolicyTests {

	private final AnnotatedPublicationPolicy policy = new AnnotatedPublicationPolicy();

	@Test
	void annotatedTypesAreMessages() {
		assertThat(this.policy.isOutboxMessage(new Named())).isTrue();
		assertThat(this.policy.isOutboxMessage(new Keyed("a"))).isTrue();
		assertThat(this.policy.isOutboxMessage(new KeyedByExpression("a"))).isTrue();
	}

	@Test
	void annotationsAreInheritedFromClassesAndInterfaces() {
		assertThat(this.policy.isOutboxMessage(new Named() {
		})).isTrue();
		assertThat(this.policy.isOutboxMessage(new ByInterface())).isTrue();
		assertThat(this.policy.isOutboxMessage(new KeyedByInterface("a"))).isTrue();
	}

	@Test
	void wronglyAnnotatedTypesAreMessagesToo() {
		assertThat(this.policy.isOutboxMessage(new KeyedTwice("a", "b")))
			.as("otherwise nobody would be told that it is wrong")
			.isTrue();
	}

	@Test
	void otherEventsAreNone() {
		assertThat(this.policy.isOutboxMessage(new Other("a"))).isFalse();
		assertThat(this.policy.isOutboxMessage("text")).isFalse();
		assertThat(this.policy.isOutboxMessage(new PayloadApplicationEvent<>(this, "text"))).isFalse();
	}

	@OutboxMessage
	static class Named {

	}

	record Keyed(@PartitionKey String key) {

	}

	@PartitionKey("key")
	record KeyedByExpression(String key) {

	}

	record KeyedTwice(@PartitionKey String first, @PartitionKey String second) {

	}

	@OutboxMessage
	interface Marked {

	}

	record ByInterface() implements Marked {

	}

	interface HasKey {

		@PartitionKey
		String key();

	}

	record KeyedByInterface(String key) implements HasKey {

	}

	record Other(String key) {

	}

}
