/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.claim;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import io.orderedoutbox.jdbc.JdbcOutboxStore;
import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.jdbc.OutboxTables;
import io.orderedoutbox.store.Claim;
import io.orderedoutbox.store.Message;
import io.orderedoutbox.store.StoredMessage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How much a claim takes, and that all of it is there.
 */
@Timeout(60)
class ClaimSizeTests {

	private static final int PAYLOAD = OutboxTables.message("a").payload().length;

	private final OutboxTables tables = new OutboxTables();

	@AfterEach
	void close() {
		this.tables.close();
	}

	private ClaimWorker worker(boolean ordered, int batchSize, int batchBytes) {
		return ClaimWorker.of(this.tables, new ClaimSettings(ordered, batchSize, DataSize.ofBytes(batchBytes),
				Duration.ofSeconds(20), Duration.ZERO));
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 7, 8, 20, 200 })
	void noClaimIsLargerThanABatch(int batchSize) {
		this.tables.fill(120, 30);
		ClaimWorker worker = worker(true, batchSize, 1 << 20);
		List<List<StoredMessage>> batches = worker.drain(200);
		assertThat(batches).allSatisfy((batch) -> assertThat(batch).hasSizeBetween(1, batchSize));
		assertThat(batches.stream().mapToInt(List::size).sum()).isEqualTo(120);
	}

	@Test
	void aSingleBusyPartitionFillsABatch() {
		this.tables.fillWith(100, "busy");
		assertThat(worker(true, 60, 1 << 20).completeNext()).as("all but the last one that was read")
			.isEqualTo(OutboxTables.positions(1, 59));
	}

	@Test
	void severalBusyPartitionsShareABatch() {
		List<String> keys = List.of(Keys.in(4), Keys.in(40));
		keys.forEach((key) -> this.tables.fillWith(50, key));
		try (Claim claim = worker(true, 40, 1 << 20).next()) {
			assertThat(claim.sequences()).extracting((sequence) -> sequence.messages().size()).containsExactly(19, 19);
		}
	}

	@Test
	void aClaimIsCutAtItsBytes() {
		this.tables.commit("a", "a", "a", "b");
		ClaimWorker worker = worker(true, 100, 2 * PAYLOAD + PAYLOAD / 2);
		assertThat(worker.completeNext()).containsExactlyInAnyOrder(1L, 4L);
		assertThat(worker.completeNext()).containsExactly(2L, 3L);
	}

	@Test
	void ofEachKeyTheHeadComesBeforeTheSecondMessageOfAny() {
		this.tables.commit("a", "a", "a", "a", "a", "a");
		this.tables.commit("b", "c");
		try (Claim claim = worker(true, 100, 4 * PAYLOAD).next()) {
			assertThat(ClaimWorker.ids(claim)).containsExactlyInAnyOrder(1L, 7L, 8L, 2L);
			claim.complete(ClaimWorker.ids(claim), List.of());
		}
	}

	@Test
	void aParkedKeyWithLargeMessagesLeavesRoomForOthers() {
		this.tables.commit("a", "a", "a", "a", "a", "a");
		this.tables.stall("id = 1");
		this.tables.makeDue();
		this.tables.commit("b");
		try (Claim claim = worker(true, 100, 2 * PAYLOAD).next()) {
			assertThat(ClaimWorker.ids(claim)).containsExactlyInAnyOrder(1L, 7L);
		}
	}

	@Test
	void aMessageLargerThanABatchIsAClaimOfItsOwn() {
		this.tables.commit("a", "a", "b");
		ClaimWorker worker = worker(true, 100, PAYLOAD / 2);
		assertThat(worker.completeNext()).containsExactly(1L);
		assertThat(worker.completeNext()).containsExactly(2L);
		assertThat(worker.completeNext()).containsExactly(3L);
	}

	@Test
	void aLargeMessageInFrontOfItsKeyDoesNotKeepOtherKeysFromABatch() {
		this.tables.commit("a");
		append("huge", 10 * PAYLOAD);
		this.tables.commit("huge", "b");
		ClaimWorker worker = worker(true, 100, 3 * PAYLOAD);
		assertThat(worker.completeNext()).as("what fits").containsExactly(1L, 4L);
		assertThat(worker.completeNext()).as("the large one alone").containsExactly(2L);
		assertThat(worker.completeNext()).containsExactly(3L);
	}

	@Test
	void inUnorderedModeALargeMessageKeepsNoneFromABatch() {
		for (int number = 0; number < 5; number++) {
			append("", 10 * PAYLOAD);
			this.tables.commit("");
		}
		ClaimWorker worker = worker(false, 100, 3 * PAYLOAD);
		assertThat(worker.drain(20).stream().mapToInt(List::size).sum()).isEqualTo(10);
		assertThat(this.tables.depth()).isZero();
	}

	@Test
	void payloadsOfAnySizeAreComplete() {
		Random random = new Random(7);
		List<Integer> sizes = List.of(0, 1, 10, 100, 1_000, 10_000, 100_000, 1_000_000);
		Map<UUID, byte[]> written = sizes.stream()
			.map((size) -> append(random, "key-" + size % 3, size))
			.collect(Collectors.toMap(Message::messageId, Message::payload));
		// A payload of more than 10,000 bytes is not read with its row
		ClaimWorker worker = worker(true, 100, 1_000_000);
		List<StoredMessage> claimed = new ArrayList<>();
		worker.drain(20).forEach(claimed::addAll);
		assertThat(claimed).hasSize(sizes.size())
			.extracting(StoredMessage::message)
			.allMatch((message) -> Arrays.equals(message.payload(), written.get(message.messageId())))
			.allMatch((message) -> message.headers().get("size").equals(String.valueOf(message.payload().length)));
	}

	@Test
	void aPayloadIsCompleteInTheLaneOfAParkedKeyToo() {
		Message message = append("a", 10 * PAYLOAD);
		this.tables.stall("TRUE");
		this.tables.jdbc().sql("UPDATE outbox_parked SET available_at = UTC_TIMESTAMP(6)").update();
		this.tables.refreshRetry();
		try (Claim claim = worker(true, 100, 50 * PAYLOAD).next()) {
			assertThat(claim.sequences()).singleElement().satisfies((sequence) -> {
				Message claimed = sequence.messages().get(0).message();
				assertThat(claimed).usingRecursiveComparison().isEqualTo(message);
			});
		}
	}

	@Test
	void aDamagedMessageHasADefectAndKeepsItsPlace() {
		this.tables.commit("a", "b", "a", "c", "d");
		damage(1, "headers = '{broken'");
		damage(2, "message_id = 'no uuid'");
		damage(4, "headers = '{\"a\":null}'");
		try (Claim claim = worker(true, 100, 1 << 20).next()) {
			assertThat(ClaimWorker.ids(claim)).containsExactly(1L, 3L, 2L, 4L, 5L);
			Set<Long> damaged = claim.sequences()
				.stream()
				.flatMap((sequence) -> sequence.messages().stream())
				.filter((message) -> message.defect() != null)
				.map(StoredMessage::id)
				.collect(Collectors.toSet());
			assertThat(damaged).containsExactlyInAnyOrder(1L, 2L, 4L);
		}
	}

	@Test
	void aDamagedMessageWithALargePayloadHasADefectToo() {
		append("a", 10 * PAYLOAD);
		damage(1, "message_id = 'no uuid'");
		try (Claim claim = worker(true, 100, 20 * PAYLOAD).next()) {
			assertThat(claim.sequences().get(0).messages().get(0).defect().reason()).contains("damaged");
		}
	}

	@Test
	void aDestinationThatFitsTheColumnButNotTheProtocolIsADefectOfItsOwnKeyOnly() {
		this.tables.commit("damaged", "healthy");
		damage(1, "exchange = REPEAT('ä', 200)");
		try (Claim claim = worker(true, 100, 1 << 20).next()) {
			assertThat(claim.sequences()).extracting((sequence) -> sequence.messages().get(0).defect() == null)
				.containsExactly(false, true);
		}
	}

	private void damage(long position, String damage) {
		this.tables.jdbc().sql("UPDATE outbox_message SET " + damage + " WHERE id = ?").param(position).update();
	}

	private Message append(String key, int size) {
		return append(new Random(size), key, size);
	}

	private Message append(Random random, String key, int size) {
		byte[] payload = new byte[size];
		random.nextBytes(payload);
		Message like = OutboxTables.message(key);
		Message message = new Message(like.messageId(), like.name(), key, like.destination(), like.contentType(),
				payload, Map.of("size", String.valueOf(size)));
		TransactionStatus transaction = this.tables.begin(TransactionDefinition.ISOLATION_REPEATABLE_READ);
		new JdbcOutboxStore(new OutboxDatabase(this.tables.writer(), "outbox_"), true).append(List.of(message));
		this.tables.commit(transaction);
		return message;
	}

}
