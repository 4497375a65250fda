package io.orderedoutbox.store;

import java.time.Duration;

import io.orderedoutbox.store.OutboxTables.Worker;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Where an instance has most of a deep backlog in its hands, one worker of each other
 * instance waits for the rest.
 */
@Tag("order")
@Timeout(60)
class ContentionClaimTests {

	private static final ClaimSettings SETTINGS = new ClaimSettings(true, 20, DataSize.ofMegabytes(1),
			Duration.ofSeconds(20));

	private final OutboxTables tables = new OutboxTables();

	private final Worker worker = this.tables.worker(SETTINGS);

	private final Worker other = this.tables.worker(SETTINGS);

	@BeforeEach
	void fill() {
		this.tables.fill(400, 4);
	}

	@AfterEach
	void close() {
		this.tables.close();
	}

	@Test
	void colleaguesAreKeptBackForAWhile() {
		Worker colleague = this.other.colleague();
		Claim held = this.worker.next();
		assertThat(this.other.next()).as("all of the window is in other hands").isNull();
		held.close();
		try (Claim claim = this.other.next()) {
			assertThat(Worker.ids(claim)).as("one goes on").hasSize(20);
			assertThat(claim.moreIsWaiting()).as("and wakes nobody").isFalse();
			assertThat(colleague.next()).isNull();
		}
	}

	@Test
	void notForLongerThanItLasts() {
		Worker colleague = this.other.colleague();
		Claim held = this.worker.next();
		assertThat(this.other.next()).isNull();
		held.close();
		try (Claim claim = this.other.next()) {
			assertThat(claim).isNotNull();
			assertThat(this.other.scan().contention().isPresent()).isTrue();
			await().until(() -> !this.other.scan().contention().isPresent());
		}
		colleague.completeNext();
	}

	@Test
	void nobodyIsKeptBackWhoMustNotMissAnything() {
		Worker thorough = this.tables.thoroughWorker(SETTINGS);
		Claim held = this.worker.next();
		assertThat(thorough.next()).isNull();
		held.close();
		try (Claim claim = thorough.next()) {
			assertThat(claim).isNotNull();
			assertThat(thorough.scan().contention().isPresent()).isFalse();
		}
	}

}
