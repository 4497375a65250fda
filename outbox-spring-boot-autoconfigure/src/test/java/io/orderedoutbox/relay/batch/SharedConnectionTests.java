/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay.batch;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.orderedoutbox.Destination;
import io.orderedoutbox.relay.StandingClaim;
import io.orderedoutbox.relay.batch.FailurePolicy.OnExhausted;
import io.orderedoutbox.send.ChannelRefusedException;
import io.orderedoutbox.send.MessageSender;
import io.orderedoutbox.send.Outcome;
import io.orderedoutbox.send.SendingChannel;
import io.orderedoutbox.send.TransportException;
import io.orderedoutbox.store.FailedMessage;
import io.orderedoutbox.store.KeySequence;
import io.orderedoutbox.store.Message;
import io.orderedoutbox.store.StoredMessage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Workers whose channels share a connection, which the broker closes because of a message
 * of one of them.
 */
@Tag("unit")
@Timeout(60)
class SharedConnectionTests {

	private static final RetryPolicy BACK_OFF = new RetryPolicy(Duration.ofSeconds(1), 2, Duration.ofMinutes(1), 0);

	private static final long POISON = 13;

	private final CircuitBreakers breakers = new CircuitBreakers(BACK_OFF);

	private Connection connection;

	private final List<Long> blamed = new CopyOnWriteArrayList<>();

	private final Set<Long> published = new ConcurrentSkipListSet<>();

	private final ExecutorService workers = Executors.newCachedThreadPool();

	@AfterEach
	void end() {
		this.workers.shutdownNow();
	}

	@Test
	void aSingleMessageIsNotBlamedForThatOfAnotherWorker() throws Exception {
		work(List.of(List.of(POISON), List.of(1L)));
	}

	@Test
	void theWorkerThatHasTheMessageFindsItAndTheOthersBlameNone() throws Exception {
		work(List.of(List.of(1L, 2L, POISON, 3L), List.of(4L, 5L), List.of(6L)));
	}

	@Test
	void aWorkerThatIsAloneFindsIt() throws Exception {
		work(List.of(List.of(1L, POISON, 2L)));
	}

	// An outage would end the work of a relay that drains once
	@Test
	void aBatchThatBeginsWhileAnotherWorkerSearchesSendsNothingAndHasNotFailed() {
		this.connection = new Connection(0);
		searchInAnotherThread();
		Dispatch dispatch = dispatch(List.of(1L));
		assertThat(dispatch.outage()).isNull();
		assertThat(dispatch.hasResults()).isFalse();
		assertThat(dispatch.hasYielded()).isTrue();
	}

	// The connection is lost while the worker opens a channel
	@Test
	void aWorkerThatHasNothingInFlightWhenTheConnectionIsClosedHasNotFailed() {
		Dispatch dispatch = dispatch(List.of(1L), (work) -> {
			searchInAnotherThread();
			throw new TransportException("connection closed by the broker: 541 INTERNAL_ERROR", null);
		});
		assertThat(dispatch.outage()).isNull();
		assertThat(dispatch.hasYielded()).isTrue();
	}

	private void searchInAnotherThread() {
		try {
			this.workers.submit(() -> this.breakers.searchTurn().take()).get();
		}
		catch (InterruptedException | ExecutionException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private void work(List<List<Long>> shares) throws Exception {
		this.connection = new Connection(shares.size());
		List<Future<?>> all = new ArrayList<>();
		for (List<Long> share : shares) {
			all.add(this.workers.submit(() -> relay(share)));
		}
		for (Future<?> worker : all) {
			worker.get(50, TimeUnit.SECONDS);
		}
		assertThat(this.blamed).containsExactly(POISON);
		assertThat(this.published).containsExactlyElementsOf(
				shares.stream().flatMap(List::stream).filter((id) -> id != POISON).sorted().toList());
	}

	// One batch after the other, as a worker does, until nothing is left of its share
	private void relay(List<Long> share) {
		List<Long> left = new ArrayList<>(share);
		while (!left.isEmpty()) {
			Dispatch dispatch = dispatch(left);
			List<Long> failed = dispatch.results().failed().stream().map(FailedMessage::id).toList();
			this.blamed.addAll(failed);
			this.published.addAll(dispatch.results().published());
			left.removeAll(failed);
			left.removeAll(dispatch.results().published());
			Thread.yield();
		}
	}

	private Dispatch dispatch(List<Long> ids) {
		return dispatch(ids, (work) -> work.accept(this.connection.channel()));
	}

	private Dispatch dispatch(List<Long> ids, MessageSender sender) {
		WorkerSettings settings = new WorkerSettings(Duration.ofSeconds(1), Duration.ofMinutes(1), 100, false,
				Duration.ofSeconds(50), Duration.ofMinutes(1), new FailurePolicy(BACK_OFF, 0, OnExhausted.BLOCK),
				BACK_OFF);
		List<KeySequence> sequences = ids.stream().map((id) -> new KeySequence(List.of(message(id)))).toList();
		Dispatch dispatch = new Dispatch(new StandingClaim(sequences), settings, this.breakers, () -> false,
				System::nanoTime, System.nanoTime());
		dispatch.through(sender, () -> {
		});
		return dispatch;
	}

	private static StoredMessage message(long id) {
		return new StoredMessage(id, new Message(new UUID(0, id), "order.placed", "", new Destination("x", "key"),
				"text/plain", new byte[0], Map.of()), Instant.EPOCH, 0, null);
	}

	/**
	 * Is closed, with all of its channels, when the poison arrives: for the first time
	 * when all workers have something in flight. It answers late.
	 */
	private static final class Connection {

		private final CountDownLatch busy;

		private int closings;

		Connection(int workers) {
			this.busy = new CountDownLatch(workers);
		}

		private void awaitFirstMessages() {
			this.busy.countDown();
			try {
				assertThat(this.busy.await(10, TimeUnit.SECONDS)).isTrue();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}

		synchronized Channel channel() {
			return new Channel(this, this.closings);
		}

		private synchronized void arrived(long id) {
			if (id == POISON) {
				this.closings++;
				notifyAll();
			}
		}

		private synchronized boolean isClosed(int closingsBefore) {
			long until = System.nanoTime() + Duration.ofMillis(100).toNanos();
			long left = until - System.nanoTime();
			while (this.closings == closingsBefore && left > 0) {
				try {
					TimeUnit.NANOSECONDS.timedWait(this, left);
				}
				catch (InterruptedException ex) {
					Thread.currentThread().interrupt();
					return true;
				}
				left = until - System.nanoTime();
			}
			return this.closings != closingsBefore;
		}

	}

	private static final class Channel implements SendingChannel {

		private final Connection connection;

		private final int closingsBefore;

		private final Queue<Long> sent = new ArrayDeque<>();

		Channel(Connection connection, int closingsBefore) {
			this.connection = connection;
			this.closingsBefore = closingsBefore;
		}

		@Override
		public void send(StoredMessage message) {
			this.sent.add(message.id());
		}

		@Override
		public Outcome nextOutcome(Duration timeout) {
			this.connection.awaitFirstMessages();
			this.sent.forEach(this.connection::arrived);
			if (this.connection.isClosed(this.closingsBefore)) {
				throw ChannelRefusedException.ofConnection("connection closed by the broker: 541 INTERNAL_ERROR");
			}
			Long answered = this.sent.poll();
			return (answered != null) ? Outcome.published(answered) : null;
		}

	}

}
