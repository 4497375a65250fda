/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Consumer;

import io.orderedoutbox.relay.Schedule.Actor;
import io.orderedoutbox.relay.batch.WorkerSettings;
import io.orderedoutbox.send.ChannelRefusedException;
import io.orderedoutbox.send.MessageSender;
import io.orderedoutbox.send.Outcome;
import io.orderedoutbox.send.SendingChannel;
import io.orderedoutbox.send.TransportException;
import io.orderedoutbox.store.StoredMessage;
import org.jspecify.annotations.Nullable;

/**
 * A broker in memory, and the networks to it. A seed decides when a message arrives and
 * what becomes of it: taken and confirmed; taken or not, and silence; refused; the
 * channel closed because of it; the connection lost. Some brokers are slow. What was sent
 * on a channel arrives in the order of sending, or, from some message on, not at all.
 */
final class SimulatedBroker implements MessageSender {

	// As long as it takes to send
	private static final Duration MOMENT = Duration.ofMillis(1);

	private static final long FAST = Duration.ofMillis(1).toNanos();

	// Fewer steps while workers wait for answers
	private static final Duration IDLE = Duration.ofMillis(5);

	// Longer than a batch waits before it is suspended
	private static final long SLOW = Duration.ofMillis(600).toNanos();

	private final Schedule schedule;

	private final Random random;

	private final SimulatedFaults faults;

	private final SimulatedOrder order;

	private final WorkerSettings settings;

	// Between two messages that arrive, in nanoseconds
	private final long longest;

	// Between a message that arrives and the answer, in nanoseconds
	private final long slowness;

	private final List<Channel> channels = new ArrayList<>();

	private final Map<Actor, Batch> batches = new HashMap<>();

	private long awayUntil;

	SimulatedBroker(Schedule schedule, Random random, SimulatedFaults faults, SimulatedOrder order,
			WorkerSettings settings) {
		this.schedule = schedule;
		this.random = random;
		this.faults = faults;
		this.order = order;
		this.settings = settings;
		this.longest = FAST * (1 + random.nextInt(2) * 9);
		this.slowness = (random.nextInt(4) == 0) ? SLOW : 0;
	}

	/** What the broker does all the time. */
	void work() {
		while (true) {
			long longest = this.faults.isOver() ? FAST : this.longest;
			this.schedule
				.sleep(Duration.ofNanos(this.random.nextLong((this.random.nextInt(20) == 0) ? 20 * longest : longest)));
			this.channels.removeIf(Channel::isOver);
			List<Channel> busy = this.channels.stream().filter((channel) -> !channel.underWay.isEmpty()).toList();
			if (busy.isEmpty()) {
				this.schedule.sleep(IDLE);
			}
			else {
				arrive(busy.get(this.random.nextInt(busy.size())));
			}
		}
	}

	private void arrive(Channel channel) {
		StoredMessage message = channel.underWay.remove(0);
		int chance = this.faults.isOver() ? 100 : this.random.nextInt(100);
		if (chance < 3) {
			this.faults.happens("refused: " + message.id());
			channel.answer(Outcome.failed(message.id(), "no route"));
		}
		else if (chance < 4) {
			this.faults.happens("lost on its way: " + message.id());
		}
		else if (chance < 5) {
			this.faults.happens("taken without a word: " + message.id());
			this.order.arrived(message.message());
		}
		else if (chance < 6) {
			this.faults.happens("closes the channel: " + message.id());
			channel.underWay.clear();
			channel.end(new ChannelRefusedException("no such exchange"));
		}
		else if (chance < 7) {
			lose(channel);
		}
		else {
			this.faults.said("taken: " + message.id());
			this.order.arrived(message.message());
			channel.answer(Outcome.published(message.id()));
		}
	}

	// Some of what is under way arrives nevertheless
	private void lose(Channel channel) {
		this.faults.happens("the channel of " + channel.worker + " is lost");
		channel.underWay.subList(0, this.random.nextInt(channel.underWay.size() + 1))
			.forEach((message) -> this.order.arrived(message.message()));
		channel.underWay.clear();
		channel.end(new TransportException("The connection was lost", null));
	}

	/** No worker reaches the broker for some time. */
	void goAway(Duration time) {
		this.awayUntil = this.schedule.getAsLong() + time.toNanos();
		this.channels.forEach(this::lose);
	}

	/** A worker is going to claim. */
	void newBatch() {
		this.batches.remove(this.schedule.current());
	}

	@Override
	public void withChannel(Consumer<SendingChannel> work) {
		this.schedule.pause();
		if (this.schedule.getAsLong() < this.awayUntil && !this.faults.isOver()) {
			throw new TransportException("The broker is away", null);
		}
		Actor worker = Objects.requireNonNull(this.schedule.current());
		Batch batch = this.batches.computeIfAbsent(worker, (absent) -> new Batch(this.schedule.getAsLong()));
		Channel channel = new Channel(worker, batch);
		this.channels.add(channel);
		try {
			work.accept(channel);
		}
		finally {
			channel.isClosed = true;
		}
	}

	/**
	 * What a worker sends of one claim.
	 */
	private static final class Batch {

		private long begunAt;

		private int sent;

		private boolean inDoubt;

		Batch(long begunAt) {
			this.begunAt = begunAt;
		}

		// A message that was suspect before this batch is tested first, alone, and the
		// time of the batch begins after that, also if it was not answered in its time
		void send(long now) {
			if (this.sent == 1) {
				this.begunAt = now;
			}
			this.sent++;
		}

	}

	private final class Channel implements SendingChannel {

		private final Actor worker;

		private final Batch batch;

		private final List<StoredMessage> underWay = new ArrayList<>();

		private final Map<Long, String> unanswered = new HashMap<>();

		private final List<Answer> answers = new ArrayList<>();

		private @Nullable RuntimeException end;

		private boolean isClosed;

		Channel(Actor worker, Batch batch) {
			this.worker = worker;
			this.batch = batch;
		}

		boolean isOver() {
			return this.underWay.isEmpty() && (this.isClosed || this.end != null);
		}

		@Override
		public void send(StoredMessage message) {
			if (this.end != null) {
				throw this.end;
			}
			SimulatedBroker.this.faults.said(this.worker + " sends " + message.id());
			this.batch.send(SimulatedBroker.this.schedule.getAsLong());
			require(message.message().partitionKey());
			this.unanswered.put(message.id(), message.message().partitionKey());
			this.underWay.add(message);
		}

		// What holds whatever has happened
		private void require(String key) {
			if (!key.isEmpty() && this.unanswered.containsValue(key)) {
				fail("Two messages of key " + key + " are in flight");
			}
			Duration lost = SimulatedBroker.this.faults.lostFor(this.worker);
			if (lost.compareTo(SimulatedBroker.this.settings.renewInterval().plus(MOMENT)) > 0) {
				fail(this.worker + " sends, and its claim was lost " + lost + " ago");
			}
			Duration sending = Duration.ofNanos(SimulatedBroker.this.schedule.getAsLong() - this.batch.begunAt);
			if (!this.batch.inDoubt && sending.compareTo(SimulatedBroker.this.settings.batchTime().plus(MOMENT)) > 0) {
				fail(this.worker + " sends, and has begun to send " + sending + " ago");
			}
		}

		private void fail(String what) {
			SimulatedBroker.this.schedule.fail(new AssertionError(what));
		}

		private void answer(Outcome outcome) {
			this.answers
				.add(new Answer(outcome, SimulatedBroker.this.schedule.getAsLong() + SimulatedBroker.this.slowness));
			SimulatedBroker.this.schedule.wake(this.worker);
		}

		private void end(RuntimeException reason) {
			this.end = reason;
			SimulatedBroker.this.schedule.wake(this.worker);
		}

		@Override
		public @Nullable Outcome nextOutcome(Duration timeout) {
			long deadline = SimulatedBroker.this.schedule.getAsLong() + timeout.toNanos();
			while (true) {
				long now = SimulatedBroker.this.schedule.getAsLong();
				List<Answer> known = this.answers.stream().filter((answer) -> answer.knownAt() <= now).toList();
				if (!known.isEmpty()) {
					return take(known.get(SimulatedBroker.this.random.nextInt(known.size())));
				}
				if (this.end != null) {
					this.batch.inDoubt = true;
					throw this.end;
				}
				if (now >= deadline) {
					return null;
				}
				long next = this.answers.stream().mapToLong(Answer::knownAt).min().orElse(deadline);
				SimulatedBroker.this.schedule.sleep(Duration.ofNanos(Math.min(next, deadline) - now));
			}
		}

		private Outcome take(Answer answer) {
			this.answers.remove(answer);
			this.unanswered.remove(answer.outcome().id());
			return answer.outcome();
		}

	}

	private record Answer(Outcome outcome, long knownAt) {

	}

}
