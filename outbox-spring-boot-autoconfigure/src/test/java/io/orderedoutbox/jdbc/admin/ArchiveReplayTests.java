/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.admin;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

import io.orderedoutbox.HeaderStamp;
import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.admin.ArchiveReplay;
import io.orderedoutbox.admin.MessageSelection;
import io.orderedoutbox.admin.TimeRange;
import io.orderedoutbox.admin.VerbResult;
import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.jdbc.OutboxTables;
import io.orderedoutbox.jdbc.Partitions;
import io.orderedoutbox.jdbc.claim.ClaimWorker;
import io.orderedoutbox.store.Message;
import io.orderedoutbox.store.StoredMessage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * What was published is sent again: the same messages, marked, in the order of each key.
 */
@Tag("order")
@Timeout(60)
class ArchiveReplayTests {

	private static final Instant NOON = Instant.parse("2026-01-02T12:00:00Z");

	private final OutboxTables tables = new OutboxTables();

	private final ClaimWorker worker = ClaimWorker.archiving(this.tables, ClaimWorker.settings(true, 100));

	private final List<Set<Integer>> woken = new ArrayList<>();

	private final JdbcOutboxAdministration operator = new JdbcOutboxAdministration(
			new OutboxDatabase(this.tables.writer(), "outbox_", true, new Partitions()), true, this.woken::add);

	@AfterEach
	void close() {
		this.tables.close();
	}

	@Test
	void whatIsReplayedIsTheSameMessageWithAMark() {
		this.tables.commit("a", "b");
		this.tables.jdbc()
			.sql("UPDATE outbox_message SET headers = ? WHERE id = 1")
			.param("{\"h\":\"ä\\\"x\",\"n\":17}")
			.update();
		List<StoredMessage> published = publish();
		this.operator.replay(ArchiveReplay.of(MessageSelection.all()));
		assertThat(this.tables.column(String.class, "headers", "outbox_message"))
			.allMatch((headers) -> headers.startsWith("{\"x-replayed-at\":\"20"));
		List<StoredMessage> replayed = drained();
		// They are in two partitions
		Comparator<StoredMessage> byId = Comparator.comparing((message) -> message.message().messageId());
		published = published.stream().sorted(byId).toList();
		replayed = replayed.stream().sorted(byId).toList();
		assertThat(replayed).hasSameSizeAs(published);
		for (int i = 0; i < published.size(); i++) {
			Message before = published.get(i).message();
			Message after = replayed.get(i).message();
			assertThat(after.messageId()).isEqualTo(before.messageId());
			assertThat(after.payload()).isEqualTo(before.payload());
			assertThat(after.destination()).isEqualTo(before.destination());
			assertThat(replayed.get(i).createdAt()).isEqualTo(published.get(i).createdAt());
			Map<String, Object> headers = new HashMap<>(after.headers());
			String mark = headers.remove(HeaderStamp.REPLAYED_AT_HEADER).toString();
			assertThat(headers).isEqualTo(before.headers());
			Instant stored = published.get(i).createdAt();
			assertThat(Instant.parse(mark)).isBetween(stored, stored.plusSeconds(60));
		}
	}

	@Test
	void theMessagesOfAKeyKeepTheirOrderWhateverTheClockSaid() {
		this.tables.commit(IntStream.range(0, 1_200).mapToObj((i) -> "key-" + i % 7).toArray(String[]::new));
		List<StoredMessage> published = publish();
		this.tables.jdbc()
			.sql("UPDATE outbox_archive SET published_at = "
					+ this.tables.outbox().dialect().sql().after("-MOD(id * 7919, 1000) * 1000000", "published_at"))
			.update();
		VerbResult result = this.operator.replay(ArchiveReplay.of(MessageSelection.all()).atMostPerSecond(0));
		assertThat(result.affected()).isEqualTo(1_200);
		assertThat(byKey(drained())).isEqualTo(byKey(published)).hasSize(7);
	}

	private static Map<String, List<String>> byKey(List<StoredMessage> messages) {
		Map<String, List<String>> ids = new HashMap<>();
		messages.forEach((message) -> ids.computeIfAbsent(message.message().partitionKey(), (key) -> new ArrayList<>())
			.add(message.message().messageId().toString()));
		return ids;
	}

	@Test
	void aReplayIsOfOneMessageOfAKeyOfANameOrOfATime() {
		this.tables.commit("a", "b", "a", "c", "");
		publish();
		this.tables.jdbc().sql("UPDATE outbox_archive SET name = 'order.lost' WHERE id = 2").update();
		publishedAt(4, NOON);
		publishedAt(5, NOON.plusSeconds(1));
		String second = this.tables.column(String.class, "message_id", "outbox_archive").get(1);
		assertThat(replayed(ArchiveReplay.of(MessageSelection.message(second)))).containsExactly(2L);
		assertThat(replayed(ArchiveReplay.of(MessageSelection.key("a")))).containsExactly(1L, 3L);
		assertThat(replayed(ArchiveReplay.of(MessageSelection.withoutKey()))).containsExactly(5L);
		assertThat(replayed(ArchiveReplay.of(MessageSelection.name("order.lost")))).containsExactly(2L);
		TimeRange second12 = TimeRange.between(NOON, NOON.plusSeconds(1));
		assertThat(replayed(ArchiveReplay.of(MessageSelection.all()).published(second12))).containsExactly(4L);
		assertThat(replayed(ArchiveReplay.of(MessageSelection.key("a")).published(second12))).isEmpty();
		assertThat(
				replayed(ArchiveReplay.of(MessageSelection.all()).published(new TimeRange(null, NOON.plusSeconds(60)))))
			.containsExactly(4L, 5L);
		assertThat(replayed(ArchiveReplay.of(MessageSelection.all()).published(TimeRange.since(NOON.plusSeconds(60)))))
			.containsExactly(1L, 2L, 3L);
	}

	// The ids in the archive of what is in the outbox, which is emptied
	private List<Long> replayed(ArchiveReplay replay) {
		VerbResult foretold = this.operator.dryRun(replay);
		assertThat(this.tables.depth()).isZero();
		VerbResult result = this.operator.replay(replay);
		assertThat(result).isEqualTo(foretold);
		List<Long> ids = this.tables.jdbc()
			.sql("SELECT a.id FROM outbox_message m JOIN outbox_archive a ON a.message_id = m.message_id ORDER BY a.id")
			.query(Long.class)
			.list();
		assertThat(result.affected()).isEqualTo(ids.size());
		this.tables.jdbc().sql("DELETE FROM outbox_message").update();
		return ids;
	}

	private void publishedAt(long id, Instant time) {
		this.tables.jdbc()
			.sql("UPDATE outbox_archive SET published_at = %s WHERE id = ?"
				.formatted(this.tables.outbox().dialect().sql().time(time)))
			.param(id)
			.update();
	}

	@Test
	void aReplayIsArchivedAndIsNotReplayedItself() {
		this.tables.commit("a");
		publish();
		this.operator.replay(ArchiveReplay.of(MessageSelection.all()));
		assertThat(drained()).hasSize(1);
		assertThat(this.tables.column(Long.class, "id", "outbox_archive")).hasSize(2);
		assertThat(this.operator.replay(ArchiveReplay.of(MessageSelection.all())).affected()).isOne();
	}

	// The text could be that of a header of the application
	@Test
	void aHeaderWhoseTextLooksLikeTheMarkIsNone() {
		this.tables.commit("a");
		this.tables.jdbc()
			.sql("UPDATE outbox_message SET headers = ?")
			.param("{\"h\":\"\\\"x-replayed-at\\\":\"}")
			.update();
		assertThat(publish().get(0).message().headers()).containsEntry("h", "\"x-replayed-at\":");
		assertThat(this.operator.replay(ArchiveReplay.of(MessageSelection.all())).affected()).isOne();
		assertThat(drained().get(0).message().headers()).containsEntry("h", "\"x-replayed-at\":").hasSize(2);
	}

	@Test
	void itGoesOntoAnotherExchangeIfThatIsWanted() {
		this.tables.commit("a");
		publish();
		this.operator.replay(ArchiveReplay.of(MessageSelection.all()).onto("wiederholung-ä"));
		Message replayed = drained().get(0).message();
		assertThat(replayed.destination().exchange()).isEqualTo("wiederholung-ä");
		assertThat(replayed.destination().routingKey()).isEqualTo("nowhere");
	}

	@Test
	void itIsAsSlowAsItIsWanted() {
		this.tables.commit(IntStream.range(0, 25).mapToObj((i) -> "a").toArray(String[]::new));
		publish();
		long begun = System.nanoTime();
		this.operator.replay(ArchiveReplay.of(MessageSelection.all()).atMostPerSecond(10));
		assertThat(Duration.ofNanos(System.nanoTime() - begun)).isBetween(Duration.ofMillis(2_500),
				Duration.ofSeconds(20));
		assertThat(this.woken).as("parts").hasSize(3);
		assertThat(this.tables.depth()).isEqualTo(25);
	}

	@Test
	void whatIsBeingRemovedIsPassedOver() {
		this.tables.commit("a", "b");
		publish();
		JdbcTemplate other = new JdbcTemplate(this.tables.connectionWithoutAutoCommit());
		other.queryForList("SELECT id FROM outbox_archive WHERE id = 1 FOR UPDATE");
		VerbResult result = this.operator.replay(ArchiveReplay.of(MessageSelection.all()));
		assertThat(result.affected()).isOne();
		assertThat(result.passedOver()).isOne();
	}

	@ParameterizedTest
	@ValueSource(strings = { "replay", "dry run" })
	void withoutAnArchiveThereIsNothingToReplay(String what) {
		JdbcOutboxAdministration without = this.tables.operator(true, this.woken::add);
		ArchiveReplay replay = ArchiveReplay.of(MessageSelection.all());
		assertThatExceptionOfType(OutboxConfigurationException.class)
			.isThrownBy(() -> (what.equals("replay") ? without.replay(replay) : without.dryRun(replay)).affected())
			.withMessageContaining("There is no archive");
	}

	@Test
	void whatMakesNoSenseIsRefused() {
		ArchiveReplay replay = ArchiveReplay.of(MessageSelection.all());
		assertThatIllegalArgumentException().isThrownBy(() -> ArchiveReplay.of(MessageSelection.group("x")));
		assertThatIllegalArgumentException().isThrownBy(() -> replay.atMostPerSecond(-1))
			.withMessageContaining("perSecond");
		assertThatIllegalArgumentException().isThrownBy(() -> replay.onto("x".repeat(256)));
		assertThatIllegalArgumentException().isThrownBy(() -> TimeRange.between(NOON, NOON))
			.withMessageContaining("'from' must be before 'until'");
	}

	private List<StoredMessage> publish() {
		List<StoredMessage> published = drained();
		assertThat(published).isNotEmpty();
		return published;
	}

	private List<StoredMessage> drained() {
		return this.worker.drain(200).stream().flatMap(List::stream).toList();
	}

}
