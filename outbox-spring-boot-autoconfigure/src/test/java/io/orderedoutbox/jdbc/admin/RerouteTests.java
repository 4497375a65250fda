/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.admin;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.orderedoutbox.Destination;
import io.orderedoutbox.admin.MessageSelection;
import io.orderedoutbox.admin.MessageState;
import io.orderedoutbox.admin.OutboxAdministration;
import io.orderedoutbox.admin.Reroute;
import io.orderedoutbox.admin.VerbResult;
import io.orderedoutbox.jdbc.OutboxTables;
import io.orderedoutbox.jdbc.claim.ClaimWorker;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.store.Claim;
import io.orderedoutbox.store.FailedMessage;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * What is given another destination, beside relays and writers, and what is not.
 */
@Timeout(120)
@Tag("order")
class RerouteTests {

	private static final String NEW = "shöp.€.new";

	private static final Reroute TO_NEW = Reroute.exchange("old", NEW);

	private final OutboxTables tables = new OutboxTables();

	private final List<Set<Integer>> wakes = new ArrayList<>();

	private final OutboxAdministration operator = this.tables.operator(true, this.wakes::add);

	private final ClaimWorker worker = ClaimWorker.of(this.tables, ClaimWorker.settings(true, 1000));

	private final ExecutorService threads = Executors.newFixedThreadPool(2);

	@AfterEach
	void close() {
		this.threads.shutdownNow();
		this.tables.close();
	}

	private void commitToOld(String... keys) {
		this.tables.commit(keys);
		this.tables.jdbc().sql("UPDATE outbox_message SET exchange = 'old'").update();
	}

	private List<String> exchanges() {
		return this.tables.column(String.class, "exchange", "outbox_message");
	}

	@Test
	void theHeadWhatWaitsBehindItAndWhatHasNotFailedGoElsewhereInTheirOrder() {
		commitToOld("a", "a", "b", "", "a", "b", "");
		List<String> ids = this.tables.column(String.class, "message_id", "outbox_message");
		this.tables.block("id = 1");
		this.tables.stall("id = 4");
		assertThat(this.operator.dryRun(MessageSelection.all(), TO_NEW)).isEqualTo(new VerbResult(7, 0, ids));
		assertThat(exchanges()).containsOnly("old");
		assertThat(this.operator.reroute(MessageSelection.all(), TO_NEW)).isEqualTo(new VerbResult(7, 0, ids));
		assertThat(exchanges()).containsOnly(NEW);
		assertThat(this.tables.column(String.class, "message_id", "outbox_message")).isEqualTo(ids);
		assertThat(this.tables.column(Integer.class, "attempts", "outbox_message")).containsOnly(0);
		assertThat(this.operator.list(MessageState.BLOCKED, MessageSelection.all(), null, 10).messages()).isEmpty();
		assertThat(this.operator.list(MessageState.STALLED, MessageSelection.all(), null, 10).messages()).isEmpty();
		assertThat(this.wakes.stream().flatMap(Set::stream)).contains(this.tables.partition("a"));
		Map<String, List<Long>> sent = drained();
		assertThat(sent.get("a")).containsExactly(1L, 2L, 5L);
		assertThat(sent.get("b")).containsExactly(3L, 6L);
		assertThat(sent.get("")).containsExactlyInAnyOrder(4L, 7L);
		assertThat(this.tables.depth()).isZero();
	}

	// What a relay would send, and that it goes to the new exchange
	private Map<String, List<Long>> drained() {
		Map<String, List<Long>> sent = new HashMap<>();
		this.worker.drain(20).stream().flatMap(List::stream).forEach((stored) -> {
			assertThat(stored.message().destination().exchange()).isEqualTo(NEW);
			sent.computeIfAbsent(stored.message().partitionKey(), (key) -> new ArrayList<>()).add(stored.id());
		});
		return sent;
	}

	@Test
	void aKeyWhoseHeadGoesWhereItDidStaysStuck() {
		commitToOld("a", "a", "b");
		this.tables.jdbc().sql("UPDATE outbox_message SET exchange = 'other' WHERE id = 1").update();
		this.tables.block("id IN (1, 3)");
		assertThat(this.operator.reroute(MessageSelection.all(), TO_NEW).affected()).isEqualTo(2);
		assertThat(this.operator.list(MessageState.BLOCKED, MessageSelection.all(), null, 10).messages())
			.extracting("partitionKey")
			.containsExactly("a");
		assertThat(exchanges()).containsExactly("other", NEW, NEW);
		assertThat(this.tables.column(Integer.class, "attempts", "outbox_message WHERE id = 1")).containsExactly(3);
	}

	@Test
	void aCallCanBeRepeatedAndTouchesNothingThatGoesThereAlready() {
		commitToOld("a", "b");
		this.tables.block("id = 1");
		Reroute toNew = Reroute.to(new Destination(NEW, "key"));
		assertThat(this.operator.reroute(MessageSelection.all(), toNew).affected()).isEqualTo(2);
		this.tables.jdbc().sql("UPDATE outbox_parked SET available_at = '9999-12-31'").update();
		assertThat(this.operator.reroute(MessageSelection.all(), toNew)).isEqualTo(new VerbResult(0, 0, List.of()));
		assertThat(this.operator.list(MessageState.BLOCKED, MessageSelection.all(), null, 10).messages()).hasSize(1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "id", "key", "no key", "name", "routing key", "exchange and name" })
	void onlyWhatIsMeantGoesElsewhere(String by) {
		commitToOld("a", "b", "");
		String id = this.tables.column(String.class, "message_id", "outbox_message").get(1);
		this.tables.jdbc()
			.sql("UPDATE outbox_message SET name = 'order.second', routing_key = 'second' WHERE id = 2")
			.update();
		Reroute to = new Reroute(by.startsWith("exchange") ? "old" : null, by.equals("routing key") ? "second" : null,
				NEW, null);
		MessageSelection selection = switch (by) {
			case "id" -> MessageSelection.message(id);
			case "key" -> MessageSelection.key("b");
			case "no key" -> MessageSelection.withoutKey();
			case "routing key" -> MessageSelection.all();
			default -> MessageSelection.name("order.second");
		};
		assertThat(this.operator.reroute(selection, to).affected()).isOne();
		assertThat(exchanges()).containsExactly("old", by.equals("no key") ? "old" : NEW,
				by.equals("no key") ? NEW : "old");
		assertThat(this.operator.reroute(MessageSelection.key("nobody"), to).affected()).isZero();
	}

	@Test
	void theDefaultExchangeIsAnExchangeLikeAnyOther() {
		commitToOld("a", "b");
		this.operator.reroute(MessageSelection.key("a"), Reroute.to(new Destination("", "queue")));
		assertThat(exchanges()).containsExactly("", "old");
		this.operator.reroute(MessageSelection.all(), Reroute.exchange("", NEW));
		assertThat(exchanges()).containsExactly(NEW, "old");
		assertThat(this.tables.column(String.class, "routing_key", "outbox_message WHERE id = 1"))
			.containsExactly("queue");
	}

	@Test
	void aGroupOfFailuresIsRefusedBecauseItLacksWhatWaitsBehindThem() {
		commitToOld("a", "a");
		this.tables.stall("id = 1");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.operator.reroute(MessageSelection.group("exchange 'old': any"),
					Reroute.exchange("old", "new")))
			.withMessageContaining("exchange");
		assertThat(this.tables.column(String.class, "exchange", "outbox_message")).containsOnly("old");
	}

	@Test
	void deadLettersKeepWhatIsKnownOfThem() {
		commitToOld("a", "a", "b");
		this.tables.block("id IN (1, 3)");
		this.operator.skip(MessageSelection.all());
		assertThat(this.operator.reroute(MessageSelection.key("a"), TO_NEW).affected()).isEqualTo(2);
		assertThat(this.tables.column(String.class, "exchange", "outbox_dead_letter")).containsExactly(NEW, "old");
		assertThat(this.tables.column(String.class, "last_error", "outbox_dead_letter")).containsExactly("returned",
				"returned");
		assertThat(exchanges()).containsExactly(NEW);
	}

	@Test
	void anyNumberOfMessagesInAnyNumberOfPartitions() {
		this.tables.fillWith(12_000, "long");
		this.tables.fill(1_500, 300);
		this.tables.jdbc().sql("UPDATE outbox_message SET exchange = 'old' WHERE id % 2 = 1").update();
		long old = this.tables.jdbc()
			.sql("SELECT COUNT(*) FROM outbox_message WHERE exchange = 'old'")
			.query(Long.class)
			.single();
		this.tables.stall("id = 1");
		VerbResult result = this.operator.reroute(MessageSelection.all(), TO_NEW);
		assertThat(result.affected()).isEqualTo(old);
		assertThat(result.messageIds()).hasSize(VerbResult.MAX_IDS);
		assertThat(exchanges()).doesNotContain("old");
	}

	@Test
	void itWaitsForTheRelayThatSendsAndLeavesAloneWhatWasPublished() throws Exception {
		commitToOld("a", "a", "b");
		Future<VerbResult> result;
		try (Claim claim = this.worker.next()) {
			assertThat(ClaimWorker.ids(claim)).containsExactlyInAnyOrder(1L, 2L, 3L);
			result = this.threads.submit(() -> this.operator.reroute(MessageSelection.all(), TO_NEW));
			Awaitility.await()
				.atMost(Duration.ofSeconds(20))
				.until(() -> this.tables.jdbc()
					.sql(Servers.database()
						.choose("SELECT COUNT(*) FROM information_schema.processlist WHERE db = DATABASE() "
								+ "AND info LIKE 'SELECT p.id FROM JSON_TABLE%' AND info NOT LIKE '%SKIP LOCKED'",
								"SELECT COUNT(*) FROM pg_locks WHERE NOT granted",
								"SELECT COUNT(*) FROM information_schema.sessions WHERE blocker_id IS NOT NULL"))
					.query(Integer.class)
					.single() > 0);
			assertThat(result).isNotDone();
			// Message 2 goes to the lane of its key meanwhile
			claim.complete(List.of(3L), List.of(FailedMessage.retried(1, "no exchange", Duration.ofHours(1))));
		}
		assertThat(result.get(20, TimeUnit.SECONDS)).extracting(VerbResult::affected, VerbResult::passedOver)
			.containsExactly(2L, 0L);
		assertThat(drained()).isEqualTo(Map.of("a", List.of(1L, 2L)));
	}

	@Test
	void whatARelayKeepsForLongIsPassedOverAndTheOthersGoElsewhere() {
		commitToOld("a", "b");
		this.tables.stall("id = 2");
		try (Claim claim = this.worker.next()) {
			assertThat(ClaimWorker.ids(claim)).containsExactly(1L);
			assertThat(this.operator.reroute(MessageSelection.all(), TO_NEW))
				.extracting(VerbResult::affected, VerbResult::passedOver)
				.containsExactly(1L, 1L);
		}
		assertThat(exchanges()).containsExactly("old", NEW);
		assertThat(this.operator.reroute(MessageSelection.all(), TO_NEW).affected()).isOne();
	}

	@Test
	void itNeitherWaitsForAWriterNorMakesOneWait() {
		commitToOld("a", "a");
		this.tables.stall("id = 1");
		TransactionStatus writer = this.tables.begin(TransactionDefinition.ISOLATION_REPEATABLE_READ);
		this.tables.append("a");
		assertThat(this.operator.reroute(MessageSelection.all(), TO_NEW))
			.extracting(VerbResult::affected, VerbResult::passedOver)
			.containsExactly(2L, 0L);
		this.tables.append("a", "b");
		this.tables.commit(writer);
		assertThat(exchanges()).hasSize(5).startsWith(NEW, NEW);
	}

	@Test
	void withoutOrderItIsTheSame() {
		commitToOld("a", "a", "b");
		this.tables.stallEach("id < 3");
		OutboxAdministration unordered = this.tables.operator(false, this.wakes::add);
		assertThat(unordered.reroute(MessageSelection.all(), TO_NEW).affected()).isEqualTo(3);
		assertThat(this.tables.jdbc()
			.sql("SELECT COUNT(*) FROM outbox_parked WHERE available_at > UTC_TIMESTAMP(6)")
			.query(Integer.class)
			.single()).isZero();
		assertThat(exchanges()).containsOnly(NEW);
	}

	@Test
	void whatCannotBeMeantIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> new Reroute("a", "b", null, null))
			.withMessageContaining("'toExchange'");
		assertThatIllegalArgumentException().isThrownBy(() -> Reroute.exchange("a", "a"))
			.withMessageContaining("already");
		assertThatIllegalArgumentException().isThrownBy(() -> Reroute.exchange("a", "x".repeat(256)))
			.withMessageContaining("255 bytes");
	}

}
