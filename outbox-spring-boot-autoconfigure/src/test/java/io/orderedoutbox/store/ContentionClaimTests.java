package io.orderedoutbox.store;

import java.time.Duration;
import java.util.List;

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
			Dealer dealer = (Dealer) ReflectionTestUtils.getField(this.worker.claims(), "dealer");
			assertThat(window.candidates()).hasSize(4);
			assertThat(dealer.portion(window).candidates()).as("such as what follows").isEmpty();
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

	private boolean isFound() {
		return this.worker.scan().contention().isPresent();
	}

	// However fast or slow this machine is
	private void keepIt(Duration time) {
		ReflectionTestUtils.setField(this.worker.scan().contention(), "until", System.nanoTime() + time.toNanos());
	}

	private int size() {
		return (int) ReflectionTestUtils.getField(this.worker.scan(), "size");
	}

}
