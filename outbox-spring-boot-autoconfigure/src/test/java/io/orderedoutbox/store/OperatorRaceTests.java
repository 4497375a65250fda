package io.orderedoutbox.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.orderedoutbox.MessageSelection;
import io.orderedoutbox.OperatorVerb;
import io.orderedoutbox.OutboxAdministration;
import io.orderedoutbox.VerbResult;
import io.orderedoutbox.store.OutboxTables.Worker;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Operators beside relays, and beside one another.
 */
@Tag("order")
@Timeout(120)
class OperatorRaceTests {

	private static final ClaimSettings SETTINGS = new ClaimSettings(true, 100, DataSize.ofMegabytes(1),
			Duration.ofSeconds(20));

	private static final VerbResult NOTHING = new VerbResult(0, 0, List.of());

	private static final VerbResult ONE_PASSED_OVER = new VerbResult(0, 1, List.of());

	private final OutboxTables tables = new OutboxTables();

	private final OutboxAdministration operator = this.tables.operator(true, () -> {
	});

	private final ExecutorService threads = Executors.newFixedThreadPool(6);

	@AfterEach
	void close() {
		this.threads.shutdownNow();
		this.tables.close();
	}

	private void becomeDue() {
		this.tables.jdbc().sql("UPDATE outbox_message SET available_at = UTC_TIMESTAMP(6)").update();
	}

	@ParameterizedTest
	@EnumSource(names = { "RETRY", "SKIP" })
	void whatARelayHasInItsHandsIsPassedOver(OperatorVerb verb) {
		this.tables.commit("a", "a", "b");
		this.tables.stall("id IN (1, 3)");
		this.tables.jdbc().sql("UPDATE outbox_message SET available_at = UTC_TIMESTAMP(6) WHERE id = 1").update();
		try (Claim claim = this.tables.worker(SETTINGS).next()) {
			assertThat(Worker.ids(claim)).containsExactly(1L, 2L);
			assertThat(this.operator.dryRun(verb, MessageSelection.key("a"))).isEqualTo(ONE_PASSED_OVER);
			assertThat(this.operator.apply(verb, MessageSelection.key("a"))).isEqualTo(ONE_PASSED_OVER);
			VerbResult all = this.operator.apply(verb, MessageSelection.all());
			assertThat(all.affected()).isEqualTo(1);
			assertThat(all.passedOver()).isEqualTo(1);
			claim.complete(List.of(1L), List.of());
		}
		assertThat(this.operator.apply(verb, MessageSelection.key("a"))).as("published meanwhile").isEqualTo(NOTHING);
		assertThat(this.tables.column(Long.class, "id", "outbox_message")).contains(2L).doesNotContain(1L);
		assertThat(this.tables.column(Long.class, "position", "outbox_dead_letter")).doesNotContain(1L);
	}

	@Test
	void aRelayThatHasLookedBeforeTheSkipGetsWhatIsBehindAndNotWhatWasSkipped() {
		this.tables.commit("a", "a");
		this.tables.stall("id = 1");
		becomeDue();
		Worker worker = this.tables.workerInterrupted(SETTINGS,
				() -> assertThat(this.operator.skip(MessageSelection.all()).affected()).isEqualTo(1));
		assertThat(worker.next()).as("what was skipped").isNull();
		assertThat(worker.drain(5)).singleElement()
			.satisfies((batch) -> assertThat(batch).extracting(StoredMessage::id).containsExactly(2L));
		assertThat(this.tables.column(Long.class, "position", "outbox_dead_letter")).containsExactly(1L);
	}

	@Test
	void aDryRunLeavesNothingLocked() {
		this.tables.commit("a", "b");
		this.tables.stall("TRUE");
		becomeDue();
		assertThat(this.operator.dryRun(OperatorVerb.SKIP, MessageSelection.all()).affected()).isEqualTo(2);
		try (Claim claim = this.tables.worker(SETTINGS).next()) {
			assertThat(Worker.ids(claim)).containsExactly(1L, 2L);
		}
	}

	@Test
	void aDeadLetterInTheHandsOfAnotherOperatorIsPassedOverAndThoseBehindItInItsKeyWithIt() {
		this.tables.commit("a", "a", "b", "", "");
		this.tables.stall("TRUE");
		this.tables.operator(false, () -> {
		}).skip(MessageSelection.all());
		TransactionStatus other = this.tables.begin(TransactionDefinition.ISOLATION_READ_COMMITTED);
		this.tables.jdbc().sql("SELECT id FROM outbox_dead_letter WHERE id IN (1, 4) FOR UPDATE").query().listOfRows();
		VerbResult foretold = this.operator.dryRun(OperatorVerb.REQUEUE, MessageSelection.all());
		assertThat(this.operator.requeue(MessageSelection.all())).isEqualTo(foretold).satisfies((result) -> {
			assertThat(result.affected()).isEqualTo(2);
			assertThat(result.passedOver()).isEqualTo(3);
		});
		assertThat(this.tables.column(Long.class, "position", "outbox_dead_letter")).containsExactly(1L, 2L, 4L);
		VerbResult discarded = this.operator.discard(MessageSelection.all());
		assertThat(discarded.affected()).isEqualTo(1);
		assertThat(discarded.passedOver()).isEqualTo(2);
		this.tables.commit(other);
		assertThat(this.tables.column(Long.class, "position", "outbox_dead_letter")).containsExactly(1L, 4L);
	}

	@Test
	void operatorsWhoSkipTheSameAtTheSameTimeSkipEachHeadOnce() throws Exception {
		this.tables.fill(4000, 2000);
		this.tables.stall("id <= 2000");
		List<Future<VerbResult>> results = together(4, () -> this.operator.skip(MessageSelection.all()));
		long affected = 0;
		for (Future<VerbResult> result : results) {
			affected += result.get(60, TimeUnit.SECONDS).affected();
		}
		affected += this.operator.skip(MessageSelection.all()).affected();
		assertThat(affected).isEqualTo(2000);
		assertThat(this.tables.column(Long.class, "position", "outbox_dead_letter")).hasSize(2000);
		assertThat(this.tables.depth()).isEqualTo(2000);
		assertThat(this.tables.column(Long.class, "id", "outbox_failed")).isEmpty();
	}

	@Test
	void operatorsWhoRequeueTheSameAtTheSameTimeKeepTheOrderOfEachKey() throws Exception {
		this.tables.fill(3000, 40);
		this.tables.jdbc().sql("UPDATE outbox_message SET routing_key = LPAD(id, 10, '0')").update();
		this.tables.stall("TRUE");
		this.tables.operator(false, () -> {
		}).skip(MessageSelection.all());
		for (Future<VerbResult> result : together(4, () -> this.operator.requeue(MessageSelection.all()))) {
			result.get(60, TimeUnit.SECONDS);
		}
		this.operator.requeue(MessageSelection.all());
		assertThat(this.tables.depth()).isEqualTo(3000);
		for (int key = 0; key < 40; key++) {
			assertThat(this.tables.column(String.class, "routing_key",
					"outbox_message WHERE partition_key = 'filler-%d'".formatted(key)))
				.hasSize(75)
				.isSorted();
		}
	}

	@Test
	void whatIsSkippedWhileRelaysPublishIsEitherPublishedOrDead() throws Exception {
		int messages = 4000;
		this.tables.fill(messages, 400);
		Set<Long> published = ConcurrentHashMap.newKeySet();
		List<Long> twice = Collections.synchronizedList(new ArrayList<>());
		AtomicBoolean over = new AtomicBoolean();
		List<Future<?>> relays = new ArrayList<>();
		for (int number = 0; number < 3; number++) {
			Worker worker = this.tables
				.worker(new ClaimSettings(true, 40, DataSize.ofMegabytes(1), Duration.ofSeconds(20)));
			int odd = number;
			relays.add(this.threads.submit(() -> {
				while (this.tables.depth() > 0) {
					relay(worker, odd, published, twice);
				}
			}));
		}
		Future<Long> skips = this.threads.submit(() -> {
			long count = 0;
			while (!over.get()) {
				count += this.operator.skip(MessageSelection.all()).affected();
			}
			return count;
		});
		for (Future<?> relay : relays) {
			relay.get(60, TimeUnit.SECONDS);
		}
		over.set(true);
		long skipped = skips.get(20, TimeUnit.SECONDS);
		List<Long> dead = this.tables.column(Long.class, "position", "outbox_dead_letter");
		assertThat(twice).isEmpty();
		assertThat(dead).hasSize((int) skipped).isNotEmpty().doesNotContainAnyElementsOf(published);
		assertThat(published.size() + dead.size()).isEqualTo(messages);
		assertThat(this.tables.column(Long.class, "id", "outbox_failed")).isEmpty();
	}

	// The head of every third key fails and is due again at once
	private static void relay(Worker worker, int odd, Set<Long> published, List<Long> twice) {
		try (Claim claim = worker.next()) {
			if (claim == null) {
				return;
			}
			List<Long> sent = new ArrayList<>();
			List<FailedMessage> failed = new ArrayList<>();
			for (Run run : claim.runs()) {
				long head = run.messages().get(0).id();
				if (head % 3 == odd && run.messages().get(0).attempts() < 5) {
					failed.add(FailedMessage.retried(head, "returned", Duration.ZERO));
				}
				else {
					run.messages().forEach((message) -> sent.add(message.id()));
				}
			}
			sent.stream().filter((id) -> !published.add(id)).forEach(twice::add);
			claim.complete(sent, failed);
		}
	}

	private List<Future<VerbResult>> together(int operators, Callable<VerbResult> call) throws InterruptedException {
		return this.threads.invokeAll(Collections.nCopies(operators, call));
	}

}
