/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import io.orderedoutbox.Outbox;
import io.orderedoutbox.OutboxMessage;
import io.orderedoutbox.OutboxPublicationException;
import io.orderedoutbox.OutboxSuppression;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Which events the only outbox of an application takes.
 */
@Tag("unit")
class OnlyOutboxTests {

	private final List<Object> taken = new ArrayList<>();

	private final Outbox outbox = new OnlyOutbox((event, stamps) -> {
		this.taken.add(event);
		return new UUID(0, 0);
	});

	@Test
	void thoseThatNameNoneOrTheDefault() {
		this.outbox.publish("any");
		this.outbox.publish(new OfTheDefault());
		assertThat(this.taken).containsExactly("any", new OfTheDefault());
	}

	@Test
	void thoseThatNameAnotherNotUnlessTheyAreNotStored() {
		assertThatExceptionOfType(OutboxPublicationException.class)
			.isThrownBy(() -> this.outbox.publish(new OfBilling()));
		assertThat(this.taken).isEmpty();
		OutboxSuppression.run(() -> this.outbox.publish(new OfBilling()));
		assertThat(this.taken).containsExactly(new OfBilling());
	}

	@OutboxMessage(outbox = "default")
	record OfTheDefault() {
	}

	@OutboxMessage(outbox = "billing")
	record OfBilling() {
	}

}
