/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.listener;

import java.time.Duration;

import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OutboxApplication;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a consumer knows of dead letters when another one was the active one meanwhile,
 * and its channel was not closed.
 */
@Timeout(60)
class ParkedKeysTests {

	private static final long SECOND = Duration.ofSeconds(1).toNanos();

	private final Database database = Servers.database().fresh();

	private long now = Long.MAX_VALUE - SECOND;

	private OutboxApplication application;

	private DeadLetterSequences table;

	private ParkedKeys keys;

	private ParkedKeys others;

	@BeforeEach
	void start() {
		this.application = OutboxApplication.on(this.database).withInboxAlone().start();
		this.table = this.application.bean(DeadLetterSequences.class);
		this.keys = create();
		this.others = create();
	}

	@AfterEach
	void close() {
		this.application.close();
	}

	private ParkedKeys create() {
		return new ParkedKeys(this.table, "billing");
	}

	@Test
	void whatAnotherConsumerHasParkedIsKnownAfterAPause() {
		assertThat(isParked("m6", false, 0)).isFalse();
		this.others.add("K", "m7");
		assertThat(isParked("m8", false, SECOND)).isTrue();
		assertThat(this.table.contains("billing", "K", "m8")).isTrue();
	}

	@Test
	void itIsKnownWhenMessagesComeThatWereDeliveredBefore() {
		assertThat(isParked("m6", false, 0)).isFalse();
		this.others.add("K", "m7");
		assertThat(isParked("m8", true, 1)).isTrue();
	}

	@Test
	void itIsKnownWhenSuchMessagesComeAgain() {
		assertThat(isParked("m5", true, 0)).isFalse();
		assertThat(isParked("m6", true, SECOND / 2)).isFalse();
		this.others.add("K", "m7");
		assertThat(isParked("m8", true, SECOND / 2)).isTrue();
	}

	// What others have parked shows whether the table was read
	@Test
	void whileMessagesComeTheTableIsNotRead() {
		assertThat(isParked("m6", true, 0)).isFalse();
		this.others.add("K", "m7");
		assertThat(isParked("m8", true, SECOND / 3)).isFalse();
		assertThat(isParked("m9", false, SECOND / 3)).isFalse();
		assertThat(isParked("m10", false, SECOND - 1)).isFalse();
		assertThat(isParked("m11", false, SECOND - 1)).isFalse();
	}

	@Test
	void whatItHasParkedItselfIsKnownAfterAPauseToo() {
		assertThat(isParked("m6", false, 0)).isFalse();
		this.keys.add("K", "m7");
		assertThat(isParked("m8", false, SECOND)).isTrue();
		assertThat(isParked("m9", false, 1)).isTrue();
	}

	@Test
	void whatAnotherInstanceHasReplayedGoesOn() {
		this.others.add("K", "m7");
		assertThat(isParked("m8", false, 0)).isTrue();
		this.table.remove("billing", "K", "m7");
		this.table.remove("billing", "K", "m8");
		assertThat(isParked("m9", false, SECOND)).isFalse();
	}

	private boolean isParked(String id, boolean isRedelivered, long nanosLater) {
		this.now += nanosLater;
		this.keys.delivered(this.now, isRedelivered);
		return this.keys.addIfParked("K", () -> id);
	}

}
