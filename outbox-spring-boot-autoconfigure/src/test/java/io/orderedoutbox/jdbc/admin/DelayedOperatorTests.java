/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.admin;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

import io.orderedoutbox.Destination;
import io.orderedoutbox.admin.BoundedCount;
import io.orderedoutbox.admin.MessageSelection;
import io.orderedoutbox.admin.MessageState;
import io.orderedoutbox.admin.MessageSummary;
import io.orderedoutbox.admin.OperatorVerb;
import io.orderedoutbox.admin.OutboxFigures;
import io.orderedoutbox.admin.Reroute;
import io.orderedoutbox.jdbc.JdbcOutboxStore;
import io.orderedoutbox.jdbc.OutboxTables;
import io.orderedoutbox.jdbc.backlog.JdbcBacklogReader;
import io.orderedoutbox.jdbc.claim.ClaimWorker;
import io.orderedoutbox.store.Backlog;
import io.orderedoutbox.store.Delay;
import io.orderedoutbox.store.Message;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * What operators see of messages that wait for their time, and how they release them.
 */
class DelayedOperatorTests {

	private final OutboxTables tables = new OutboxTables();

	private final ClaimWorker worker = ClaimWorker.of(this.tables, ClaimWorker.settings(true, 100));

	private final List<Set<Integer>> woken = new ArrayList<>();

	private final JdbcOutboxAdministration operator = this.tables.operator(true, this.woken::add);

	@AfterEach
	void close() {
		this.tables.close();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void whatIsDelayedIsNeitherLateNorStuck(boolean found) {
		append("a", true);
		append("a", false);
		append("", true);
		this.tables.jdbc()
			.sql("UPDATE outbox_message SET created_at = %s WHERE partition_key = ''".formatted(this.tables.outbox()
				.dialect()
				.sql()
				.after("-" + Duration.ofDays(1).toNanos() / 1_000, "created_at")))
			.update();
		if (found) {
			assertThat(this.worker.next()).isNull();
		}
		OutboxFigures figures = this.operator.figures();
		assertThat(figures.backlog().count()).isEqualTo(3);
		assertThat(figures.stalled().count() + figures.blocked().count()).isZero();
		assertThat(figures.delayed().count()).isEqualTo(found ? 2 : 0);
		Backlog backlog = new JdbcBacklogReader(this.tables.outbox()).read();
		// No relay has looked at it for a day
		Duration lag = found ? Duration.ZERO : Duration.ofDays(1);
		assertThat(backlog.lag()).isCloseTo(lag, Duration.ofMinutes(1));
		assertThat(Objects.requireNonNullElse(figures.lag(), Duration.ZERO)).isCloseTo(lag, Duration.ofMinutes(1));
		assertThat(backlog).isEqualTo(new Backlog(3, backlog.lag(), 0, 0, 0, Duration.ZERO, found ? 2 : 0));
		assertThat(list(MessageState.DELAYED, MessageSelection.all())).containsExactly(1L, 3L);
		assertThat(list(MessageState.DUE, MessageSelection.all())).isEqualTo(found ? List.of() : List.of(2L));
		assertThat(list(MessageState.PENDING, MessageSelection.all())).containsExactly(1L, 2L, 3L);
		assertThat(list(MessageState.STALLED, MessageSelection.all())).isEmpty();
		assertThat(list(MessageState.BLOCKED, MessageSelection.all())).isEmpty();
		assertThat(this.operator.groups().groups()).isEmpty();
		assertThat(this.operator.apply(OperatorVerb.SKIP, MessageSelection.all()).affected()).isZero();
		assertThat(this.operator.apply(OperatorVerb.RETRY, MessageSelection.all()).affected()).isZero();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void itIsShownWithItsTime(boolean found) {
		append("a", true);
		if (found) {
			assertThat(this.worker.next()).isNull();
		}
		String id = this.tables.column(String.class, "message_id", "outbox_message").get(0);
		MessageSummary listed = this.operator.list(MessageState.DELAYED, MessageSelection.key("a"), null, 10)
			.messages()
			.get(0);
		assertThat(listed.deliverAt()).isEqualTo(listed.createdAt().plus(Duration.ofHours(1)));
		assertThat(listed.since()).isNull();
		assertThat(listed.retryAt()).isNull();
		assertThat(listed.state()).isEqualTo(MessageState.DELAYED);
		assertThat(this.operator.find(id, 0).orElseThrow().message()).isEqualTo(listed);
		this.operator.release(MessageSelection.message(id));
		MessageSummary released = this.operator.find(id, 0).orElseThrow().message();
		assertThat(released.state()).isEqualTo(MessageState.DUE);
		assertThat(released.deliverAt()).isNull();
	}

	@Test
	void whatIsStuckIsSeenBesideAnyNumberThatIsDelayed() {
		this.tables.fill(12_000, 12_000);
		this.tables.stallEach("TRUE");
		this.tables.jdbc().sql("UPDATE outbox_message SET failed_at = NULL, available_at = '2050-01-01'").update();
		this.tables.jdbc().sql("UPDATE outbox_parked SET is_delayed = TRUE, available_at = '2050-01-01'").update();
		this.tables.commit("a", "b");
		this.tables.block("partition_key = 'a'");
		this.tables.stall("partition_key = 'b'");
		Backlog backlog = new JdbcBacklogReader(this.tables.outbox()).read();
		assertThat(backlog.blockedKeys()).isOne();
		assertThat(backlog.stalledKeys()).isOne();
		assertThat(backlog.delayedKeys()).isEqualTo(Backlog.MAX_COUNT);
		assertThat(this.operator.figures().blocked()).isEqualTo(new BoundedCount(1, false));
		assertThat(this.operator.figures().delayed().more()).isTrue();
		assertThat(keys(MessageState.BLOCKED)).containsExactly("a");
		assertThat(keys(MessageState.STALLED)).containsExactly("b");
		assertThat(this.operator.groups().more()).isFalse();
		assertThat(this.operator.groups().groups()).hasSize(1);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void whatIsReleasedIsSentAtOnceInItsTurn(boolean found) {
		append("a", true);
		append("a", false);
		append("b", true);
		append("", true);
		if (found) {
			assertThat(this.worker.next()).isNull();
		}
		assertThat(this.operator.dryRun(OperatorVerb.RELEASE, MessageSelection.key("a")).affected()).isOne();
		assertThat(this.woken).isEmpty();
		assertThat(this.operator.release(MessageSelection.key("a")).affected()).isOne();
		assertThat(this.woken).containsExactly(Set.of(this.tables.partition("a")));
		assertThat(this.worker.completeNext()).containsExactly(1L, 2L);
		assertThat(this.worker.next()).isNull();
		assertThat(this.operator.release(MessageSelection.name("order.placed")).affected()).isEqualTo(2);
		assertThat(this.worker.drain(3).stream().flatMap(List::stream)).hasSize(2);
		assertThat(this.tables.jdbc().sql("SELECT COUNT(*) FROM outbox_parked").query(Long.class).single()).isZero();
		assertThat(this.operator.release(MessageSelection.all()).affected()).isZero();
	}

	// Two of a key, the second not at its head
	@Test
	void oneThatIsBehindAnotherCanBeReleasedToo() {
		append("a", true);
		append("a", true);
		assertThat(this.worker.next()).isNull();
		String second = this.tables.column(String.class, "message_id", "outbox_message").get(1);
		assertThat(this.operator.release(MessageSelection.message(second)).messageIds()).containsExactly(second);
		assertThat(this.worker.next()).as("the first one waits").isNull();
		this.operator.release(MessageSelection.all());
		assertThat(this.worker.completeNext()).containsExactly(1L, 2L);
	}

	@Test
	void aGroupOfFailuresCannotBeReleased() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.operator.release(MessageSelection.group("queue 'a': returned")))
			.withMessageContaining("what is delayed has not failed");
	}

	@Test
	void aRerouteLeavesItDelayed() {
		append("a", true);
		assertThat(this.worker.next()).isNull();
		assertThat(
				this.operator.reroute(MessageSelection.all(), Reroute.to(new Destination("elsewhere", "order.placed")))
					.affected())
			.isOne();
		assertThat(this.worker.next()).isNull();
		assertThat(list(MessageState.DELAYED, MessageSelection.all())).containsExactly(1L);
		assertThat(this.operator.figures().delayed().count()).isOne();
	}

	private List<Long> list(MessageState state, MessageSelection selection) {
		return this.operator.list(state, selection, null, 10)
			.messages()
			.stream()
			.map((message) -> this.tables.jdbc()
				.sql("SELECT id FROM outbox_message WHERE message_id = ?")
				.param(message.messageId())
				.query(Long.class)
				.single())
			.toList();
	}

	private Stream<String> keys(MessageState state) {
		return this.operator.list(state, MessageSelection.all(), null, 10)
			.messages()
			.stream()
			.map(MessageSummary::partitionKey);
	}

	private void append(String key, boolean delayed) {
		Message message = OutboxTables.message(key);
		new JdbcOutboxStore(this.tables.outbox(), true).append(List.of(new Message(message.messageId(), message.name(),
				message.partitionKey(), message.destination(), message.contentType(), message.payload(),
				message.headers(), delayed ? Delay.of(Duration.ofHours(1)) : Delay.NONE)));
	}

}
