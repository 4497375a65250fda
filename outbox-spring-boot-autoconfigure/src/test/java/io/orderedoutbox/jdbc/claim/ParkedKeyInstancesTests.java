/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.claim;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import io.orderedoutbox.jdbc.OutboxTables;
import io.orderedoutbox.store.Claim;
import io.orderedoutbox.store.FailedMessage;
import io.orderedoutbox.store.StoredMessage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A key whose head has failed, and two instances that take turns: each knows only what it
 * has seen itself.
 */
@Tag("order")
@Timeout(60)
class ParkedKeyInstancesTests {

	private static final Duration LONG = Duration.ofHours(1);

	private static final String KEY = Keys.in(23);

	private final OutboxTables tables = new OutboxTables();

	@AfterEach
	void close() {
		try {
			assertThat(LaneRules.broken(this.tables.jdbc(), true)).isEmpty();
		}
		finally {
			this.tables.close();
		}
	}

	private ClaimWorker instance(int batchSize) {
		return ClaimWorker.of(this.tables, ClaimWorker.settings(true, batchSize));
	}

	private void commit(int messages) {
		this.tables.commit(Collections.nCopies(messages, KEY).toArray(String[]::new));
	}

	private void makeDue() {
		this.tables.jdbc().sql("UPDATE outbox_parked SET available_at = UTC_TIMESTAMP(6)").update();
		this.tables.refreshRetry();
	}

	@Test
	void inEveryPhaseAnotherInstanceGoesOn() {
		List<ClaimWorker> instances = List.of(instance(20), instance(20));
		List<Long> sent = new ArrayList<>();
		int number = 0;
		commit(30);
		for (int phase = 0; phase < 12; phase++) {
			try (Claim claim = instances.get(number++ % 2).next()) {
				List<Long> ids = ClaimWorker.ids(claim);
				sent.addAll(ids.subList(0, 2));
				claim.complete(ids.subList(0, 2), List.of(FailedMessage.retried(ids.get(2), "once", Duration.ZERO)));
			}
			commit(1);
		}
		while (this.tables.depth() > 0) {
			sent.addAll(instances.get(number++ % 2).completeNext());
		}
		assertThat(sent).isEqualTo(OutboxTables.positions(1, 42));
	}

	// The one has sent the key in part. The other one parks the key and moves some of it
	@ParameterizedTest
	@CsvSource({ "20, 8", "4, 20", "4, 4", "1, 20", "20, 1" })
	void aKeyIsParkedWhileAnotherInstanceHasSentItInPart(int first, int second) {
		ClaimWorker waiting = instance(first);
		ClaimWorker parking = instance(second);
		commit(30);
		List<Long> sent = new ArrayList<>();
		for (int claims = 0; claims < 3; claims++) {
			sent.addAll(sendOne(waiting));
		}
		try (Claim claim = parking.next()) {
			claim.complete(List.of(), List.of(FailedMessage.retried(ClaimWorker.ids(claim).get(0), "once", LONG)));
		}
		commit(5);
		assertThat(waiting.next()).as("although it knows of some that have not moved").isNull();
		commit(5);
		assertThat(parking.next()).isNull();
		makeDue();
		commit(5);
		ClaimWorker next = waiting;
		while (this.tables.depth() > 0) {
			sent.addAll(sendOne(next));
			commit((sent.size() % 10 == 0 && sent.size() < 40) ? 1 : 0);
			next = (next == waiting) ? parking : waiting;
		}
		assertThat(sent).isEqualTo(OutboxTables.positions(1, sent.size()));
	}

	// The lane was opened, emptied and closed by the other instance
	@Test
	void aKeyThatIsParkedNoLongerIsClaimedFromTheLaneOfThePartition() {
		ClaimWorker waiting = instance(100);
		ClaimWorker parking = instance(100);
		commit(40);
		List<Long> sent = new ArrayList<>(sendOne(waiting));
		try (Claim claim = parking.next()) {
			List<Long> ids = ClaimWorker.ids(claim);
			sent.addAll(ids.subList(0, 9));
			claim.complete(ids.subList(0, 9), List.of(FailedMessage.retried(ids.get(9), "once", Duration.ZERO)));
		}
		while (parked()) {
			sent.addAll(parking.completeNext());
		}
		commit(5);
		while (this.tables.depth() > 0) {
			sent.addAll(sendOne(waiting));
		}
		assertThat(sent).isEqualTo(OutboxTables.positions(1, 45));
	}

	private boolean parked() {
		return this.tables.jdbc().sql("SELECT COUNT(*) FROM outbox_parked").query(Long.class).single() > 0;
	}

	@Test
	void aKeyThatWasParkedAndFreedAndParkedAgainIsInOrder() {
		List<ClaimWorker> instances = List.of(instance(7), instance(13), instance(2));
		commit(60);
		List<Long> sent = new ArrayList<>();
		for (int turn = 0; this.tables.depth() > 0 && turn < 400; turn++) {
			try (Claim claim = instances.get(turn % 3).next()) {
				if (claim == null) {
					makeDue();
					continue;
				}
				List<Long> ids = ClaimWorker.ids(claim);
				int some = Math.min(ids.size(), turn % 4);
				sent.addAll(ids.subList(0, some));
				boolean failing = turn % 3 == 1 && some < ids.size();
				claim.complete(ids.subList(0, some),
						failing ? List
							.of(FailedMessage.retried(ids.get(some), "once", (turn % 2 == 0) ? LONG : Duration.ZERO))
								: List.of());
			}
		}
		assertThat(sent).isEqualTo(OutboxTables.positions(1, 60));
	}

	@Test
	void whatAnInstanceHasSeenOfALaneIsNothingWhenAnotherOneHasSentIt() {
		ClaimWorker first = instance(100);
		commit(3);
		try (Claim claim = first.next()) {
			claim.complete(List.of(), List.of(FailedMessage.retried(1, "once", Duration.ZERO)));
		}
		first.next().close();
		assertThat(instance(100).completeNext()).containsExactly(1L, 2L, 3L);
		assertThat(first.next()).isNull();
		commit(1);
		assertThat(first.completeNext()).containsExactly(4L);
	}

	private static List<Long> sendOne(ClaimWorker worker) {
		try (Claim claim = worker.next()) {
			List<Long> first = claim.sequences()
				.stream()
				.flatMap((sequence) -> sequence.messages().stream().limit(1))
				.map(StoredMessage::id)
				.toList();
			claim.complete(first, List.of());
			return first;
		}
	}

}
