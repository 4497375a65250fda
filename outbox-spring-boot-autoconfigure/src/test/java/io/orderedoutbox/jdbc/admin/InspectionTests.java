/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.admin;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import java.util.Optional;
import java.util.UUID;

import io.orderedoutbox.admin.BoundedCount;
import io.orderedoutbox.admin.MessageContent;
import io.orderedoutbox.admin.MessageSelection;
import io.orderedoutbox.admin.MessageState;
import io.orderedoutbox.admin.MessageSummary;
import io.orderedoutbox.admin.OutboxAdministration;
import io.orderedoutbox.admin.OutboxFigures;
import io.orderedoutbox.admin.OutboxPage;
import io.orderedoutbox.jdbc.OutboxTables;
import io.orderedoutbox.jdbc.backlog.JdbcBacklogReader;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.SqlLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * What somebody who only looks is shown, and that it costs little.
 */
@Timeout(120)
class InspectionTests {

	private final OutboxTables tables = new OutboxTables();

	private final OutboxAdministration ordered = this.tables.operator(true, (partitions) -> {
	});

	private final OutboxAdministration unordered = this.tables.operator(false, (partitions) -> {
	});

	@AfterEach
	void close() {
		this.tables.close();
	}

	@Test
	void pendingIsWhatHasNotFailedAndDueIsWhatWaitsForNothingThatHasFailed() {
		this.tables.commit("a", "a", "b", "", "", "c", "d", "d");
		this.tables.stall("id = 6");
		this.tables.block("id = 7");
		assertThat(keys(this.ordered, MessageState.PENDING, MessageSelection.all())).containsExactly("a", "a", "b", "",
				"", "d");
		assertThat(keys(this.ordered, MessageState.DUE, MessageSelection.all())).containsExactly("a", "a", "b", "", "");
		this.tables.makeDue();
		assertThat(keys(this.ordered, MessageState.DUE, MessageSelection.all())).containsExactly("a", "a", "b", "", "",
				"c");
	}

	@Test
	void whatWasWrittenSinceItsKeyWasParkedWaitsForTheKey() {
		this.tables.commit("a");
		this.tables.stall("id = 1");
		this.tables.commit("a", "b");
		assertThat(keys(this.ordered, MessageState.DUE, MessageSelection.all())).containsExactly("b");
		assertThat(keys(this.ordered, MessageState.PENDING, MessageSelection.all())).containsExactly("a", "b");
		assertThat(keys(this.unordered, MessageState.DUE, MessageSelection.all())).containsExactly("a", "b");
		this.tables.makeDue();
		assertThat(keys(this.ordered, MessageState.DUE, MessageSelection.all())).containsExactly("a", "a", "b");
	}

	@Test
	void bothAreNarrowedByTheSelectionsOfTheVerbs() {
		this.tables.commit("a", "", "a", "b", "c", "c");
		this.tables.jdbc().sql("UPDATE outbox_message SET name = 'order.lost' WHERE id IN (3, 6)").update();
		this.tables.block("id = 5");
		String id = this.tables.column(String.class, "message_id", "outbox_message").get(3);
		assertThat(keys(this.ordered, MessageState.PENDING, MessageSelection.message(id))).containsExactly("b");
		assertThat(keys(this.ordered, MessageState.PENDING, MessageSelection.key("a"))).containsExactly("a", "a");
		assertThat(keys(this.ordered, MessageState.DUE, MessageSelection.key("a"))).containsExactly("a", "a");
		assertThat(keys(this.unordered, MessageState.DUE, MessageSelection.key("a"))).containsExactly("a", "a");
		assertThat(keys(this.ordered, MessageState.DUE, MessageSelection.withoutKey())).containsExactly("");
		assertThat(keys(this.ordered, MessageState.PENDING, MessageSelection.name("order.lost"))).containsExactly("a",
				"c");
		assertThat(keys(this.ordered, MessageState.DUE, MessageSelection.name("order.lost"))).containsExactly("a");
	}

	@Test
	void ofAKeyItsLaneAndThatOfItsPartitionAreShownInOnePlace() {
		this.tables.commit("a", "a", "b");
		this.tables.block("id = 1");
		this.tables.commit("b", "a", "a", "b");
		List<String> seen = new ArrayList<>();
		String after = null;
		do {
			OutboxPage page = this.ordered.list(MessageState.PENDING, MessageSelection.key("a"), after, 2);
			page.messages().forEach((item) -> seen.add(item.messageId()));
			after = page.next();
		}
		while (after != null);
		assertThat(seen)
			.isEqualTo(this.tables.column(String.class, "message_id", "outbox_message WHERE id IN (2, 5, 6)"));
	}

	@ParameterizedTest
	@ValueSource(ints = { 3, 7, 200 })
	void pagesShowEverythingOnceHoweverFarItIs(int size) {
		int many = 2 * OutboxFigures.MAX_EXAMINED + 5;
		this.tables.fillWith(many, "long");
		this.tables.block("id = 1");
		this.tables.fill(20, 20);
		List<String> due = new ArrayList<>();
		int pages = 0;
		String after = null;
		do {
			OutboxPage page = this.ordered.list(MessageState.DUE, MessageSelection.all(), after, size);
			due.addAll(keys(page));
			after = page.next();
			pages++;
		}
		while (after != null);
		assertThat(due).hasSize(20).doesNotHaveDuplicates().startsWith("filler-0", "filler-1");
		assertThat(pages).isBetween(3, 12);
	}

	@Test
	void aPageOfALongOutboxReadsNoMoreThanItSays() {
		this.tables.fill(20 * OutboxFigures.MAX_EXAMINED, 200);
		this.tables.stall("id <= 20");
		// Once to find the end, once as a derived table, once to look: and for each
		// whether
		// its key is parked
		long rows = 5L * OutboxFigures.MAX_EXAMINED;
		assertThat(read(() -> this.ordered.list(MessageState.PENDING, MessageSelection.name("no.such"), null, 50)))
			.isBetween(10_000L, rows);
		assertThat(read(() -> this.ordered.list(MessageState.DUE, MessageSelection.name("no.such"), null, 50)))
			.isBetween(10_000L, rows);
		assertThat(read(() -> this.ordered.list(MessageState.PENDING, MessageSelection.key("no.such"), null, 50)))
			.as("its partition")
			.isLessThan(rows / 2);
		assertThat(read(() -> this.ordered.figures())).isLessThan(OutboxFigures.MAX_BACKLOG + 3 * rows);
	}

	// What this session and all others have read of tables and indexes
	// Other tests read on the same server at the same time: that adds to the count, and
	// takes nothing from it
	private long read(Runnable look) {
		return LongStream.generate(() -> {
			long before = handlerReads();
			look.run();
			return handlerReads() - before;
		}).limit(4).min().orElseThrow();
	}

	private long handlerReads() {
		OutboxTables.skipOnPostgreSql("it does not count what a statement reads");
		return this.tables.jdbc()
			.sql("SHOW GLOBAL STATUS WHERE Variable_name IN ('Handler_read_key', 'Handler_read_next', "
					+ "'Handler_read_first', 'Handler_read_rnd', 'Handler_read_rnd_next', 'Handler_read_last', 'Handler_read_prev')")
			.query((rs, index) -> rs.getLong(2))
			.list()
			.stream()
			.mapToLong(Long::longValue)
			.sum();
	}

	@Test
	void figuresCountEachState() {
		assertThat(this.ordered.figures())
			.isEqualTo(new OutboxFigures(none(), none(), none(), none(), none(), null, null, null));
		this.tables.commit("a", "a", "b", "c", "d");
		this.tables.stall("id IN (1, 3)");
		this.tables.block("id = 4");
		this.ordered.skip(MessageSelection.key("b"));
		this.tables.jdbc()
			.sql(Servers.database()
				.choose("UPDATE outbox_message SET created_at = TIMESTAMPADD(MINUTE, -id, UTC_TIMESTAMP(6))",
						"UPDATE outbox_message SET created_at = UTC_TIMESTAMP(6) - id * INTERVAL '1' MINUTE"))
			.update();
		this.tables.jdbc().sql("UPDATE outbox_message SET available_at = created_at WHERE id = 5").update();
		OutboxFigures figures = this.ordered.figures();
		assertThat(figures.backlog()).isEqualTo(new BoundedCount(4, false));
		assertThat(figures.stalled()).isEqualTo(new BoundedCount(1, false));
		assertThat(figures.blocked()).isEqualTo(new BoundedCount(1, false));
		assertThat(figures.deadLetters()).isEqualTo(new BoundedCount(1, false));
		assertThat(figures.oldest()).isBetween(Duration.ofMinutes(1), Duration.ofMinutes(2));
		assertThat(figures.lag()).isBetween(Duration.ofMinutes(5), Duration.ofMinutes(6));
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void lagIsTheSameHereAndInTheMetrics(boolean isOrdered) {
		OutboxAdministration operator = isOrdered ? this.ordered : this.unordered;
		this.tables.fillWith(OutboxFigures.MAX_EXAMINED + 10, "blocked");
		this.tables.block("id = 1");
		this.tables.commit("a", "b");
		String due = "UPDATE outbox_message SET created_at = UTC_TIMESTAMP(6) - INTERVAL '2' DAY, available_at = "
				+ "UTC_TIMESTAMP(6) - INTERVAL '5' MINUTE WHERE partition_key = 'a'";
		this.tables.jdbc().sql(due).update();
		Duration lag = operator.figures().lag();
		assertThat(lag).isBetween(Duration.ofMinutes(5), Duration.ofMinutes(6));
		Duration metric = new JdbcBacklogReader(this.tables.outbox()).read().lag();
		assertThat(metric.minus(lag)).isBetween(Duration.ZERO, Duration.ofSeconds(20));
	}

	@Test
	void aListOfWhatIsStuckLooksAtNoMoreThanItSays() {
		int many = 3 * OutboxFigures.MAX_EXAMINED;
		this.tables.fillWith(many, "");
		this.tables.stall("id < " + many);
		this.tables.block("id = " + many);
		assertThat(read(() -> this.ordered.list(MessageState.BLOCKED, MessageSelection.all(), null, 20)))
			.isBetween(10_000L, 8L * OutboxFigures.MAX_EXAMINED);
		List<MessageSummary> found = new ArrayList<>();
		int pages = 0;
		String after = null;
		do {
			OutboxPage page = this.ordered.list(MessageState.BLOCKED, MessageSelection.all(), after, 20);
			found.addAll(page.messages());
			after = page.next();
			pages++;
		}
		while (after != null);
		assertThat(found).hasSize(1);
		assertThat(pages).isBetween(3, 4);
	}

	@Test
	void whatWaitsBehindIsCountedForWhatIsShown() {
		this.tables.fill(20, 10);
		this.tables.stall("id <= 10");
		List<String> sent = SqlLog.of(() -> this.ordered.list(MessageState.STALLED, MessageSelection.all(), null, 3));
		assertThat(sent).filteredOn((statement) -> statement.contains("where lane = ")).hasSize(3);
	}

	@Test
	void whatOnlyLooksIsGivenUpByTheServer() {
		this.tables.commit("a", "b", "c");
		this.tables.stall("id = 1");
		String id = this.tables.column(String.class, "message_id", "outbox_message").get(1);
		List<String> sent = SqlLog.of(() -> {
			this.ordered.figures();
			this.ordered.find(id, 10);
			this.ordered.find("nowhere", 10);
			this.ordered.list(MessageState.PENDING, MessageSelection.all(), null, 10);
			this.ordered.list(MessageState.DUE, MessageSelection.key("a"), null, 10);
			this.ordered.list(MessageState.STALLED, MessageSelection.all(), null, 10);
			this.ordered.list(MessageState.BLOCKED, MessageSelection.name("x"), null, 10);
			this.ordered.list(MessageState.DEAD, MessageSelection.all(), null, 10);
		});
		assertThat(sent).filteredOn((statement) -> statement.contains("outbox_"))
			.filteredOn((statement) -> !statement.contains("wait_timeout") && !statement.contains("lock_timeout"))
			.hasSizeGreaterThan(12)
			.allSatisfy((statement) -> assertThat(statement).startsWith("select /*+ max_execution_time(4000) "));
	}

	private static BoundedCount none() {
		return new BoundedCount(0, false);
	}

	@Test
	void countingEnds() {
		this.tables.fill(OutboxFigures.MAX_BACKLOG + 10, OutboxFigures.MAX_BACKLOG + 10);
		this.tables.block("id <= " + (OutboxFigures.MAX_FAILED + 1));
		OutboxFigures figures = this.ordered.figures();
		assertThat(figures.backlog()).isEqualTo(new BoundedCount(OutboxFigures.MAX_BACKLOG, true));
		assertThat(figures.blocked()).isEqualTo(new BoundedCount(OutboxFigures.MAX_FAILED, true));
	}

	@Test
	void oneMessageIsFoundInEveryState() {
		this.tables.commit("a", "a", "b", "c", "d", "b");
		this.tables.stall("id = 3");
		this.tables.block("id = 4");
		this.tables.commit("b");
		List<String> ids = this.tables.column(String.class, "message_id", "outbox_message");
		this.tables.stall("id = 5");
		this.ordered.skip(MessageSelection.key("d"));
		assertThat(states(ids)).containsExactly(MessageState.DUE, MessageState.DUE, MessageState.STALLED,
				MessageState.BLOCKED, MessageState.DEAD, MessageState.PENDING, MessageState.PENDING);
		this.tables.makeDue();
		assertThat(states(ids)).containsExactly(MessageState.DUE, MessageState.DUE, MessageState.STALLED,
				MessageState.BLOCKED, MessageState.DEAD, MessageState.DUE, MessageState.DUE);
		this.ordered.skip(MessageSelection.key("b"));
		assertThat(states(ids).get(5)).as("in a lane that is being emptied").isEqualTo(MessageState.DUE);
		this.tables.jdbc().sql("UPDATE outbox_parked SET available_at = '9999-12-31'").update();
		assertThat(states(ids).get(5)).as("as the list says").isEqualTo(MessageState.BLOCKED);
	}

	private List<MessageState> states(List<String> ids) {
		return ids.stream().map((id) -> this.ordered.find(id, 0).orElseThrow().message().state()).toList();
	}

	@Test
	void ofWhatIsStuckItIsToldSinceWhenAndUntilWhenAndWhatWaitsBehindIt() {
		this.tables.commit("a", "a", "b", "c", "b", "b");
		this.tables.stall("id = 3");
		this.tables.block("id = 4");
		List<String> ids = this.tables.column(String.class, "message_id", "outbox_message");
		MessageSummary stalled = this.ordered.find(ids.get(2), 0).orElseThrow().message();
		MessageSummary blocked = this.ordered.find(ids.get(3), 0).orElseThrow().message();
		assertThat(stalled.retryAt()).isAfter(stalled.since());
		assertThat(List.of(stalled, blocked)).as("as the lists say")
			.isEqualTo(List.of(MessageState.STALLED, MessageState.BLOCKED).stream().map(this::first).toList());
		assertThat(stalled.waitingBehind()).isEqualTo(2);
		assertThat(blocked.waitingBehind()).isZero();
		assertThat(blocked.since()).isNotNull();
		assertThat(blocked.retryAt()).isNull();
		assertThat(this.ordered.find(UUID.randomUUID().toString(), 0)).isEmpty();
		assertThat(this.ordered.find("'\" OR 1=1", 0)).isEmpty();
		assertThatIllegalArgumentException().isThrownBy(() -> this.ordered.find("é", 0))
			.withMessage("'value' must be ASCII: message ids and names are");
	}

	private MessageSummary first(MessageState state) {
		return this.ordered.list(state, MessageSelection.all(), null, 1).messages().get(0);
	}

	@Test
	void asMuchOfThePayloadIsReadAsWasAskedFor() {
		this.tables.commit("a");
		this.tables.jdbc().sql("UPDATE outbox_message SET payload = 'hello', headers = '{\"h\":\"v\"}'").update();
		String id = this.tables.column(String.class, "message_id", "outbox_message").get(0);
		MessageContent content = this.ordered.find(id, 3).orElseThrow();
		assertThat(new String(content.payload(), StandardCharsets.UTF_8)).isEqualTo("hel");
		assertThat(content.payloadSize()).isEqualTo(5);
		assertThat(content.contentType()).isEqualTo("text/plain");
		assertThat(content.headers()).containsOnlyKeys("h").containsEntry("h", "v");
		assertThat(this.ordered.find(id, 0).orElseThrow().payload()).isEmpty();
	}

	@Test
	void aDamagedRowIsShown() {
		this.tables.commit("a");
		this.tables.jdbc().sql("UPDATE outbox_message SET message_id = 'broken', headers = '{oops'").update();
		Optional<MessageContent> content = this.ordered.find("broken", 10);
		assertThat(content).hasValueSatisfying(
				(found) -> assertThat(found.headers()).containsEntry(MessageContent.UNREADABLE, "{oops"));
	}

	@Test
	void aMessageIsSearchedForOnlySoFar() {
		this.tables.fill(OutboxAdministration.MAX_SEARCHED, 100);
		this.tables.commit("near", "far");
		String far = this.tables.column(String.class, "message_id", "outbox_message")
			.get(OutboxAdministration.MAX_SEARCHED);
		assertThat(this.ordered.find(far, 0)).isEmpty();
		this.tables.stall("partition_key IN ('near')");
		assertThat(this.ordered.find(far, 0)).isPresent();
		assertThat(this.ordered.find("01a1f9e6-108b-7474-9246-6dc61b7dc692", 0)).isPresent();
	}

	@Test
	void aPageHasABoundAndACursorMustBeOne() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.ordered.list(MessageState.DUE, MessageSelection.all(), null, 0))
			.withMessage("'size' must be between 1 and 200, but is 0");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.ordered.list(MessageState.PENDING, MessageSelection.all(), "x", 1))
			.withMessage("'after' must be where another page ended, but is 'x'");
	}

	private static List<String> keys(OutboxAdministration operator, MessageState state, MessageSelection selection) {
		return keys(operator.list(state, selection, null, 10));
	}

	private static List<String> keys(OutboxPage page) {
		return page.messages().stream().map(MessageSummary::partitionKey).toList();
	}

}
