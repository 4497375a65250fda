/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.contract;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

import io.orderedoutbox.Destination;
import io.orderedoutbox.send.MessageSender;
import io.orderedoutbox.send.Outcome;
import io.orderedoutbox.send.SendingChannel;
import io.orderedoutbox.send.TransportException;
import io.orderedoutbox.store.Message;
import io.orderedoutbox.store.StoredMessage;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * What the relay expects of a {@link MessageSender}. A test class extends it, says how
 * the sender is made, and shows what has arrived. It uses a broker of the sender's kind,
 * a real one, which it can take away.
 * <p>
 * Each test has destinations, arrivals and a broker that works before it begins.
 */
@Timeout(120)
public abstract class MessageSenderContract {

	private static final AtomicLong POSITIONS = new AtomicLong();

	/**
	 * Create a contract.
	 */
	protected MessageSenderContract() {
	}

	/**
	 * Return the sender.
	 * @return always the same one in a test
	 */
	protected abstract MessageSender sender();

	/**
	 * Return where messages arrive.
	 * @return a destination whose arrivals are seen
	 */
	protected abstract Destination destination();

	/**
	 * Return where no message arrives, because the broker does not take it: a place that
	 * does not exist, for example. Messages of other destinations are taken.
	 * @return a destination
	 */
	protected abstract Destination refusedDestination();

	/**
	 * Return the ids of the messages that have arrived in this test, in the order of
	 * their arrival. With repetitions, if there were any.
	 * @return message ids
	 */
	protected abstract List<UUID> arrivals();

	/**
	 * Return whether there is a broker that can be lost.
	 * @return {@code false} if the sender needs nothing but this process; the tests that
	 * take the broker away are skipped then
	 */
	protected boolean hasBroker() {
		return true;
	}

	/**
	 * Take the broker away, so that the sender cannot reach it.
	 */
	protected abstract void loseBroker();

	/**
	 * Give the broker back, with all that has arrived, and wait until it works.
	 */
	protected abstract void returnBroker();

	/**
	 * Return how long a test waits for what has to come, at most.
	 * @return half a minute, unless the broker is known to be quicker or slower
	 */
	protected Duration patience() {
		return Duration.ofSeconds(30);
	}

	/**
	 * Return a message for a sender.
	 * @param key its partition key, empty for none
	 * @param destination where it goes
	 * @return a message with an id and a position that no other has
	 */
	protected final StoredMessage message(String key, Destination destination) {
		long position = POSITIONS.incrementAndGet();
		byte[] payload = "{\"position\":%d}".formatted(position).getBytes(StandardCharsets.UTF_8);
		return new StoredMessage(position, new Message(UUID.randomUUID(), nameFor(destination), key, destination,
				"application/json", payload, Map.of()), Instant.now(), 0, null);
	}

	/**
	 * Return the name of the messages that go to a destination, for senders to which it
	 * matters.
	 * @param destination the destination
	 * @return a name
	 */
	protected String nameFor(Destination destination) {
		return "contract.tested";
	}

	private List<StoredMessage> messages(int count, int keys) {
		List<StoredMessage> messages = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			messages.add(message("key-" + i % keys, destination()));
		}
		return messages;
	}

	/**
	 * Wait for outcomes.
	 * @param count how many
	 */
	private List<Outcome> outcomes(SendingChannel channel, int count) {
		List<Outcome> outcomes = new ArrayList<>();
		long deadline = System.nanoTime() + patience().toNanos();
		while (outcomes.size() < count && System.nanoTime() < deadline) {
			Outcome outcome = channel.nextOutcome(Duration.ofMillis(500));
			if (outcome != null) {
				outcomes.add(outcome);
			}
		}
		assertThat(outcomes).as("outcomes of %s messages within %s", count, patience()).hasSize(count);
		return outcomes;
	}

	private static List<Long> positions(List<StoredMessage> messages) {
		return messages.stream().map(StoredMessage::id).toList();
	}

	private static List<UUID> ids(List<StoredMessage> messages) {
		return messages.stream().map((message) -> message.message().messageId()).toList();
	}

	private static List<UUID> idsOf(String key, List<StoredMessage> messages) {
		return ids(messages.stream().filter((message) -> message.message().partitionKey().equals(key)).toList());
	}

	private List<UUID> awaitArrivals(List<StoredMessage> messages) {
		Awaitility.await()
			.atMost(patience())
			.untilAsserted(() -> assertThat(arrivals()).as("arrivals").containsAll(ids(messages)));
		return arrivals().stream().distinct().toList();
	}

	@Test
	void everyMessageHasOneOutcomeAndArrives() {
		List<StoredMessage> messages = messages(200, 20);
		sender().withChannel((channel) -> {
			messages.forEach(channel::send);
			assertThat(outcomes(channel, messages.size())).allSatisfy((outcome) -> {
				assertThat(outcome.error()).as("error").isNull();
				assertThat(outcome.reason()).as("reason").isNull();
			}).extracting(Outcome::id).containsExactlyInAnyOrderElementsOf(positions(messages));
			assertThat(channel.nextOutcome(Duration.ofMillis(200))).as("an outcome too many").isNull();
		});
		awaitArrivals(messages);
		assertThat(arrivals()).as("arrivals").doesNotHaveDuplicates();
	}

	@Test
	void messagesOfAKeyArriveInTheOrderInWhichTheyWereGivenToTheChannel() {
		List<StoredMessage> messages = messages(300, 3);
		sender().withChannel((channel) -> {
			messages.forEach(channel::send);
			outcomes(channel, messages.size());
		});
		List<UUID> arrived = awaitArrivals(messages);
		for (String key : List.of("key-0", "key-1", "key-2")) {
			List<UUID> sent = idsOf(key, messages);
			assertThat(arrived.stream().filter(sent::contains)).as(key).containsExactlyElementsOf(sent);
		}
	}

	@Test
	void aMessageWithoutAKeyArrives() {
		StoredMessage message = message("", destination());
		sender().withChannel((channel) -> {
			channel.send(message);
			assertThat(outcomes(channel, 1)).containsExactly(Outcome.published(message.id()));
		});
		awaitArrivals(List.of(message));
	}

	@Test
	void aMessageThatTheBrokerDoesNotTakeFailsAlone() {
		List<StoredMessage> good = messages(20, 20);
		StoredMessage refused = message("key-of-its-own", refusedDestination());
		sender().withChannel((channel) -> {
			good.subList(0, 10).forEach(channel::send);
			channel.send(refused);
			good.subList(10, 20).forEach(channel::send);
			List<Outcome> outcomes = outcomes(channel, 21);
			assertThat(outcomes).filteredOn((outcome) -> outcome.error() == null)
				.extracting(Outcome::id)
				.containsExactlyInAnyOrderElementsOf(positions(good));
			assertThat(outcomes).filteredOn((outcome) -> outcome.error() != null)
				.singleElement()
				.satisfies((outcome) -> {
					assertThat(outcome.id()).isEqualTo(refused.id());
					assertThat(outcome.error()).as("what the operator reads").isNotBlank();
					assertThat(outcome.reason()).as("reason").isNotNull();
				});
		});
		assertThat(awaitArrivals(good)).doesNotContain(refused.message().messageId());
	}

	@Test
	void aKeyGoesOnInTheSameChannelAfterAMessageHasFailed() {
		StoredMessage refused = message("key", refusedDestination());
		StoredMessage next = message("key", destination());
		sender().withChannel((channel) -> {
			channel.send(refused);
			assertThat(outcomes(channel, 1)).extracting(Outcome::error).doesNotContainNull();
			channel.send(next);
			assertThat(outcomes(channel, 1)).containsExactly(Outcome.published(next.id()));
		});
		awaitArrivals(List.of(next));
	}

	@Test
	void aWaitForAnOutcomeEndsInTime() {
		sender().withChannel((channel) -> {
			long before = System.nanoTime();
			assertThat(channel.nextOutcome(Duration.ZERO)).isNull();
			assertThat(Duration.ofNanos(System.nanoTime() - before)).as("no wait at all")
				.isLessThan(Duration.ofMillis(500));
			before = System.nanoTime();
			assertThat(channel.nextOutcome(Duration.ofMillis(300))).isNull();
			assertThat(Duration.ofNanos(System.nanoTime() - before)).as("a wait of 300 ms")
				.isBetween(Duration.ofMillis(295), Duration.ofSeconds(3));
		});
	}

	@Test
	void aChannelTellsNothingOfWhatWasSentOnTheOneBefore() {
		List<StoredMessage> left = messages(50, 50);
		sender().withChannel((channel) -> left.forEach(channel::send));
		StoredMessage next = message("another", destination());
		sender().withChannel((channel) -> {
			channel.send(next);
			assertThat(outcomes(channel, 1)).containsExactly(Outcome.published(next.id()));
			assertThat(channel.nextOutcome(Duration.ofMillis(300))).as("an outcome of the channel before").isNull();
		});
	}

	@Test
	void whatTheWorkThrowsIsThrown() {
		assertThatIllegalStateException().isThrownBy(() -> sender().withChannel((channel) -> {
			throw new IllegalStateException("thrown by the work");
		})).withMessage("thrown by the work");
		sender().withChannel((channel) -> {
			StoredMessage next = message("key", destination());
			channel.send(next);
			assertThat(outcomes(channel, 1)).containsExactly(Outcome.published(next.id()));
		});
	}

	@Test
	void threadsHaveChannelsOfTheirOwn() throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(4);
		try {
			List<Callable<List<Long>>> work = new ArrayList<>();
			List<StoredMessage> all = new ArrayList<>();
			for (int i = 0; i < 4; i++) {
				List<StoredMessage> messages = messages(50, 5);
				all.addAll(messages);
				work.add(() -> strangersSeenWhileSending(messages));
			}
			for (Future<List<Long>> strangers : threads.invokeAll(work)) {
				assertThat(strangers.get()).as("outcomes of another thread").isEmpty();
			}
			awaitArrivals(all);
		}
		finally {
			threads.shutdownNow();
		}
	}

	private List<Long> strangersSeenWhileSending(List<StoredMessage> messages) {
		List<Long> strangers = new ArrayList<>();
		sender().withChannel((channel) -> {
			messages.forEach(channel::send);
			outcomes(channel, messages.size()).forEach((outcome) -> strangers.add(outcome.id()));
		});
		strangers.removeAll(positions(messages));
		return strangers;
	}

	@Test
	void aLostBrokerIsNoFaultOfAMessage() {
		assumeTrue(hasBroker(), "a broker that can be lost");
		warmUp();
		loseBroker();
		List<StoredMessage> messages = messages(10, 10);
		List<Outcome> outcomes = new ArrayList<>();
		try {
			sender().withChannel((channel) -> {
				messages.forEach(channel::send);
				long deadline = System.nanoTime() + patience().dividedBy(10).toNanos();
				while (System.nanoTime() < deadline) {
					Outcome outcome = channel.nextOutcome(Duration.ofMillis(500));
					if (outcome != null) {
						outcomes.add(outcome);
					}
				}
			});
		}
		catch (TransportException ex) {
			assertThat(ex.getMessage()).as("what the operator reads").isNotBlank();
		}
		finally {
			returnBroker();
		}
		assertThat(outcomes).as("outcomes while there was no broker").isEmpty();
		sender().withChannel((channel) -> {
			messages.forEach(channel::send);
			assertThat(outcomes(channel, messages.size())).allMatch((outcome) -> outcome.error() == null);
		});
		awaitArrivals(messages);
	}

	@Test
	void whatWasSentToALostBrokerDoesNotArriveByItselfAfterTheChannelHasEnded() {
		assumeTrue(hasBroker(), "a broker that can be lost");
		warmUp();
		loseBroker();
		StoredMessage left = message("key", destination());
		try {
			sender().withChannel((channel) -> {
				channel.send(left);
				channel.nextOutcome(Duration.ofMillis(500));
			});
		}
		catch (TransportException ex) {
			assertThat(ex.getMessage()).as("what the operator reads").isNotBlank();
		}
		finally {
			returnBroker();
		}
		List<StoredMessage> later = messages(50, 50);
		sender().withChannel((channel) -> {
			later.forEach(channel::send);
			outcomes(channel, later.size());
		});
		assertThat(awaitArrivals(later)).as("arrivals").doesNotContain(left.message().messageId());
	}

	@Test
	void aBrokerThatStaysAwayIsATransportExceptionWhenAChannelIsOpenedAndUsed() {
		assumeTrue(hasBroker(), "a broker that can be lost");
		loseBroker();
		try {
			assertThatExceptionOfType(TransportException.class).isThrownBy(() -> sender().withChannel((channel) -> {
				long deadline = System.nanoTime() + patience().toNanos();
				channel.send(message("key", destination()));
				while (System.nanoTime() < deadline) {
					channel.nextOutcome(Duration.ofMillis(500));
				}
			}));
		}
		finally {
			returnBroker();
		}
	}

	// Connected, and with all that the sender wants to know of the destination
	private void warmUp() {
		sender().withChannel((channel) -> {
			channel.send(message("", destination()));
			outcomes(channel, 1);
		});
	}

}
