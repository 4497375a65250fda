package io.orderedoutbox.store;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

import io.orderedoutbox.store.OutboxTables.Worker;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.test.util.ReflectionTestUtils;
import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Where another instance has most of a deep backlog in its hands, one worker goes on with
 * what is left of it.
 */
@Tag("order")
@Timeout(60)
class ContentionClaimTests {

	private static final ClaimSettings SETTINGS = new ClaimSettings(true, 20, DataSize.ofMegabytes(1),
			Duration.ofSeconds(20));

	private final OutboxTables tables = new OutboxTables();

	private final Worker theirs = this.tables.worker(SETTINGS);

	private final Worker worker = this.tables.worker(SETTINGS);

	private final Worker colleague = this.worker.colleague();

	@AfterEach
	void close() {
		this.tables.close();
	}

	@Test
	void aColleagueIsKeptBackAsLongAsItLasts() {
		this.tables.fill(400, 8);
		Claim held = this.theirs.next();
		try (Claim claim = this.worker.next()) {
			assertThat(Worker.keys(claim)).hasSize(4).doesNotContainAnyElementsOf(Worker.keys(held));
			assertThat(claim.moreIsWaiting()).as("nobody is woken").isFalse();
			held.close();
			keepIt(Duration.ofHours(1));
			assertThat(this.colleague.next()).as("although there is something").isNull();
			claim.complete(Worker.ids(claim), List.of());
		}
		assertThat(this.colleague.next()).as("the other goes on").isNull();
		keepIt(Duration.ZERO);
		assertThat(this.colleague.completeNext()).hasSize(20);
	}

	@Test
	void whoHasGivenUpKeepsNobodyBack() {
		this.tables.fill(400, 8);
		Claim held = this.theirs.next();
		this.worker.next().close();
		keepIt(Duration.ofHours(1));
		held.close();
		assertThat(this.colleague.completeNext()).hasSize(20);
		assertThat(this.worker.next()).isNull();
	}

	@Test
	void whoHasEndedKeepsNobodyBack() {
		this.tables.fill(400, 8);
		Claim held = this.theirs.next();
		this.worker.completeNext();
		keepIt(Duration.ofHours(1));
		held.close();
		this.worker.claims().end();
		assertThat(this.colleague.completeNext()).hasSize(20);
	}

	@Test
	void windowsDoNotGrowWhileOthersHaveEverything() {
		this.tables.fill(400, 4);
		try (Claim held = this.theirs.next()) {
			assertThat(Worker.keys(held)).hasSize(4);
			assertThat(this.worker.next()).isNull();
			assertThat(isFound()).isTrue();
			assertThat(size()).isEqualTo(40);
		}
	}

	@Test
	void windowsAreAsSmallAsForOneWorkerMeanwhile() {
		this.tables.fill(400, 8);
		this.colleague.colleague();
		this.colleague.colleague();
		assertThat(size()).isEqualTo(80);
		keepIt(Duration.ofHours(1));
		for (int time = 0; time < 10; time++) {
			Window window = this.worker.scan().look((run) -> false);
			this.worker.scan().adapt(window, window.candidates());
		}
		assertThat(size()).isEqualTo(40);
	}

	@Test
	void colleaguesAreNotTakenForOthers() {
		this.tables.fill(400, 4);
		try (Claim held = this.worker.next()) {
			assertThat(Worker.keys(held)).hasSize(4);
			Window window = this.worker.scan().look((run) -> false);
			assertThat(window.candidates()).hasSize(4);
			Window portion = dealer().portion(window);
			assertThat(portion.candidates()).as("such as what follows").isEmpty();
			assertThat(this.worker.scan().contention().isFound(portion, List.of())).isFalse();
			assertThat(isFound()).isFalse();
		}
	}

	@Test
	void nobodyIsKeptBackWhoMustNotMissAnything() {
		this.tables.fill(400, 4);
		Worker thorough = this.tables.thoroughWorker(SETTINGS);
		try (Claim held = this.theirs.next()) {
			assertThat(Worker.keys(held)).hasSize(4);
			assertThat(thorough.next()).isNull();
			assertThat(thorough.scan().contention().isPresent()).isFalse();
		}
	}

	// It was woken for what has come, and will not be woken again
	@Test
	void whatAColleagueWasTurnedAwayFromIsLookedFor() {
		AtomicReference<Claim> turnedAway = new AtomicReference<>();
		AtomicReference<Worker> another = new AtomicReference<>();
		Worker interrupted = this.tables.workerInterruptedAfterLook(SETTINGS, () -> {
			this.tables.commit("new");
			keepIt(another.get(), Duration.ofHours(1));
			turnedAway.set(another.get().next());
		});
		another.set(interrupted.colleague());
		try (Claim claim = interrupted.next()) {
			assertThat(turnedAway.get()).isNull();
			assertThat(Worker.keys(claim)).containsExactly("new");
		}
	}

	@Test
	void whatAColleagueHasFoundOnATourIsInHisHands() {
		this.tables.fillWith(60, "hot");
		this.tables.fill(160, 4);
		try (Claim held = this.worker.next()) {
			assertThat(Worker.keys(held)).hasSize(5).contains("hot");
			this.worker.keepMark(61);
			assertThat(dealer().deal(() -> {
			}).candidates()).isEmpty();
			held.complete(Worker.ids(held), List.of());
		}
		this.worker.keepMark(61);
		assertThat(dealer().deal(() -> {
		}).candidates()).as("and then in nobody's").hasSize(4);
	}

	@Test
	void whoIsKeptBackForgetsWhatItWouldHaveGoneOnWith() {
		this.tables.fill(400, 8);
		this.colleague.colleague();
		this.colleague.colleague();
		assertThat(this.worker.completeNext()).hasSize(20);
		assertThat(this.colleague.completeNext()).hasSize(20);
		keepIt(Duration.ofHours(1));
		assertThat(this.worker.next()).isNull();
		this.tables.jdbc().sql("DELETE FROM outbox_message WHERE id <= 80").update();
		keepIt(Duration.ZERO);
		assertThat(this.worker.completeNext()).hasSize(20);
		assertThat(isFound()).as("what is gone is in nobody's hands").isFalse();
	}

	private Dealer dealer() {
		return (Dealer) ReflectionTestUtils.getField(this.worker.claims(), "dealer");
	}

	private boolean isFound() {
		return this.worker.scan().contention().isPresent();
	}

	private void keepIt(Duration time) {
		keepIt(this.worker, time);
	}

	// However fast or slow this machine is
	@SuppressWarnings("unchecked")
	private static void keepIt(Worker worker, Duration time) {
		long end = System.nanoTime() + time.toNanos();
		Contention contention = worker.scan().contention();
		ReflectionTestUtils.setField(contention, "until", end);
		Map<?, Long> working = (Map<?, Long>) ReflectionTestUtils.getField(contention, "working");
		working.replaceAll((claims, since) -> end);
	}

	private int size() {
		return (int) ReflectionTestUtils.getField(this.worker.scan(), "size");
	}

}
