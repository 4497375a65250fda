/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay.batch;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SearchTurn}.
 */
@Tag("unit")
@Timeout(30)
class SearchTurnTests {

	private final SearchTurn turn = new SearchTurn();

	// The turn is that of a thread
	private final List<ExecutorService> workers = Stream.generate(Executors::newSingleThreadExecutor).limit(3).toList();

	@AfterEach
	void end() {
		this.workers.forEach(ExecutorService::shutdownNow);
	}

	@Test
	void oneWorkerHasItAtATime() throws Exception {
		assertThat(take(0)).isTrue();
		assertThat(take(1)).isFalse();
		assertThat(as(0, this.turn::isMine)).isTrue();
		assertThat(as(0, this.turn::isOfAnother)).isFalse();
		assertThat(as(1, this.turn::isMine)).isFalse();
		assertThat(as(1, this.turn::isOfAnother)).isTrue();
		end(1);
		assertThat(as(0, this.turn::isMine)).as("another worker does not end it").isTrue();
	}

	// A worker that was refused waits before it comes again, and others come meanwhile
	@Test
	void aTurnThatIsFreeIsRefusedToNoWorkerWhicheverWereRefusedBefore() throws Exception {
		assertThat(take(0)).isTrue();
		assertThat(take(1)).isFalse();
		assertThat(take(2)).isFalse();
		end(0);
		for (int worker : List.of(2, 1, 0, 2, 1, 0)) {
			assertThat(take(worker)).as("worker " + worker).isTrue();
			end(worker);
		}
	}

	@Test
	void aWorkerThatWaitsGoesOnWhenTheTurnEnds() throws Exception {
		assertThat(take(0)).isTrue();
		Future<?> waiting = this.workers.get(1).submit(this.turn::awaitEnd);
		end(2);
		assertThat(waiting).isNotDone();
		end(0);
		waiting.get();
		assertThat(take(1)).isTrue();
	}

	@Test
	void aWorkerThatWaitsGoesOnWhenItIsInterrupted() throws Exception {
		assertThat(take(0)).isTrue();
		boolean interrupted = as(1, () -> {
			Thread.currentThread().interrupt();
			this.turn.awaitEnd();
			return Thread.interrupted();
		});
		assertThat(interrupted).isTrue();
	}

	private boolean take(int worker) throws Exception {
		return as(worker, this.turn::take);
	}

	private void end(int worker) throws Exception {
		as(worker, () -> {
			this.turn.end();
			return true;
		});
	}

	private boolean as(int worker, Callable<Boolean> work) throws Exception {
		return this.workers.get(worker).submit(work).get();
	}

}
