/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.order;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import io.orderedoutbox.admin.MessageSelection;
import io.orderedoutbox.admin.MessageState;
import io.orderedoutbox.admin.OperatorVerb;
import io.orderedoutbox.admin.OutboxAdministration;
import io.orderedoutbox.admin.Reroute;
import io.orderedoutbox.DelayStamp;
import io.orderedoutbox.PartitionKeyStamp;
import io.orderedoutbox.admin.VerbResult;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.TestQueue;
import io.orderedoutbox.testing.TestQueue.Arrival;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Writers, relays, a broker that refuses some messages from time to time, and operators
 * who do whatever comes to their minds: every message is published, dead or discarded,
 * one of the three, and what was never a dead letter arrives in order. The seed is
 * printed; {@code -Dtest.jvm.args="-Dfuzzer.seed=…"} gives one.
 */
@Tag("order")
@Timeout(180)
class OperatorFuzzTests {

	private static final int WRITERS = 4;

	private static final int KEYS = 8;

	private static final int TRANSACTIONS = 150;

	private static final int VERBS = 150;

	private static final Reroute FLAKY_TO_STEADY = new Reroute(null, "fuzz.flaky", null, "fuzz.steady");

	private final long seed = OrderFuzzerTests.seed();

	private final Database database = Servers.database().fresh();

	private final TestQueue queue = TestQueue.bound("fuzz.steady");

	private final OutboxApplication application = instance().withoutRelay()
		.with("spring.datasource.hikari.maximum-pool-size", 12)
		.start();

	private final List<OutboxApplication> relays = List.of(
			instance().with("outbox.retry.on-exhausted", "block").start(),
			instance().with("outbox.retry.on-exhausted", "dead-letter").start());

	private final ExecutorService threads = Executors.newFixedThreadPool(WRITERS + 3);

	private final CountDownLatch over = new CountDownLatch(1);

	/** What was committed: its key, empty where it has none, and its place in it. */
	private final Map<String, Place> committed = new ConcurrentHashMap<>();

	private final Map<OperatorVerb, AtomicLong> affected = new ConcurrentHashMap<>();

	private final AtomicLong rerouted = new AtomicLong();

	private final Set<String> onceDead = ConcurrentHashMap.newKeySet();

	private final Set<String> discarded = ConcurrentHashMap.newKeySet();

	private OutboxApplication.Builder instance() {
		return OutboxApplication.on(this.database)
			.sendingTo(this.queue)
			.with("outbox.relay.batch-size", 30)
			.with("outbox.relay.poll-interval", "20ms")
			.with("outbox.retry.initial-interval", "10ms")
			.with("outbox.retry.max-interval", "50ms")
			.with("outbox.retry.max-attempts", 2);
	}

	@AfterEach
	void close() {
		this.threads.shutdownNow();
		this.relays.forEach(OutboxApplication::close);
		this.application.close();
		this.queue.close();
	}

	@Test
	void everyMessageIsPublishedOrDeadOrDiscardedAndTheRestIsInOrder() throws Exception {
		System.out.println("operator fuzz: seed " + this.seed);
		List<Future<?>> busy = new ArrayList<>();
		for (int number = 0; number < WRITERS; number++) {
			Writer writer = new Writer(number);
			busy.add(this.threads.submit(writer::run));
		}
		for (int number = 0; number < 2; number++) {
			Random random = new Random(this.seed * 17 + number);
			busy.add(this.threads.submit(() -> operate(random)));
		}
		Future<?> fate = this.threads.submit(this::refuseFlakyMessagesNowAndThen);
		for (Future<?> one : busy) {
			one.get(120, TimeUnit.SECONDS);
		}
		this.over.countDown();
		fate.get(20, TimeUnit.SECONDS);
		drain();
		System.out.printf("operator fuzz: %d committed, %d arrived, affected %s, rerouted %s%n", this.committed.size(),
				this.queue.firstArrivals().size(), this.affected, this.rerouted);
		nothingIsLostAndNothingIsInTwoPlaces();
		whatWasNeverDeadArrivedInOrder();
		assertThat(this.rerouted).as("rerouted").hasPositiveValue();
		assertThat(this.affected).as("verbs that did something")
			.hasSize(OperatorVerb.values().length)
			.allSatisfy((verb, count) -> assertThat(count).hasPositiveValue());
	}

	private Void operate(Random random) {
		OutboxAdministration operator = this.application.bean(OutboxAdministration.class);
		for (int count = 0; count < VERBS; count++) {
			OperatorVerb verb = OperatorVerb.values()[random.nextInt(OperatorVerb.values().length)];
			MessageSelection selection = switch (random.nextInt(5)) {
				case 0 -> MessageSelection.key(Writer.key(random.nextInt(WRITERS), random.nextInt(KEYS)));
				case 1 -> MessageSelection.withoutKey();
				case 2 -> MessageSelection.name("fuzz.flaky");
				case 3 -> anyOf(operator, random);
				default -> MessageSelection.all();
			};
			if (random.nextInt(10) == 0) {
				this.rerouted.addAndGet(operator.reroute(selection, FLAKY_TO_STEADY).affected());
				continue;
			}
			if (random.nextInt(4) == 0) {
				operator.dryRun(verb, selection);
				continue;
			}
			remember(verb, operator.apply(verb, selection));
		}
		return null;
	}

	private static MessageSelection anyOf(OutboxAdministration operator, Random random) {
		List<String> ids = new ArrayList<>();
		operator.list(MessageState.DEAD, MessageSelection.all(), null, 20)
			.messages()
			.forEach((item) -> ids.add(item.messageId()));
		operator.list(MessageState.BLOCKED, MessageSelection.all(), null, 20)
			.messages()
			.forEach((item) -> ids.add(item.messageId()));
		return ids.isEmpty() ? MessageSelection.all() : MessageSelection.message(ids.get(random.nextInt(ids.size())));
	}

	private void remember(OperatorVerb verb, VerbResult result) {
		this.affected.computeIfAbsent(verb, (any) -> new AtomicLong()).addAndGet(result.affected());
		assertThat(result.messageIds()).as("all ids are listed: fewer messages should be dead at a time")
			.hasSize((int) result.affected());
		if (verb != OperatorVerb.RETRY && verb != OperatorVerb.RELEASE) {
			this.onceDead.addAll(result.messageIds());
		}
		if (verb == OperatorVerb.DISCARD) {
			assertThat(result.messageIds()).as("discarded once").noneMatch(this.discarded::contains);
			this.discarded.addAll(result.messageIds());
		}
	}

	private Void refuseFlakyMessagesNowAndThen() throws InterruptedException, IOException {
		Random random = new Random(this.seed);
		do {
			this.queue.bind("fuzz.flaky");
			if (!this.over.await(random.nextInt(100), TimeUnit.MILLISECONDS)) {
				this.queue.channel().queueUnbind(this.queue.exchange(), this.queue.exchange(), "fuzz.flaky");
			}
		}
		while (!this.over.await(50 + random.nextInt(200), TimeUnit.MILLISECONDS));
		this.queue.bind("fuzz.flaky");
		return null;
	}

	private void drain() {
		OutboxAdministration operator = this.application.bean(OutboxAdministration.class);
		Awaitility.await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(50)).until(() -> {
			remember(OperatorVerb.RETRY, operator.retry(MessageSelection.all()));
			return this.application.depth() == 0;
		});
		assertThat(this.application.jdbc().sql("SELECT COUNT(*) FROM outbox_parked").query(Long.class).single())
			.isZero();
		this.queue.await(this.committed.size() - this.discarded.size() - dead().size());
	}

	private List<String> dead() {
		return this.application.jdbc().sql("SELECT message_id FROM outbox_dead_letter").query(String.class).list();
	}

	private void nothingIsLostAndNothingIsInTwoPlaces() {
		List<String> accounted = new ArrayList<>(dead());
		accounted.addAll(this.discarded);
		this.queue.firstArrivals().forEach((arrival) -> accounted.add(arrival.messageId()));
		assertThat(accounted).doesNotHaveDuplicates().hasSameElementsAs(this.committed.keySet());
	}

	private void whatWasNeverDeadArrivedInOrder() {
		this.onceDead.addAll(dead());
		Map<String, Integer> last = new HashMap<>();
		Set<String> keys = new HashSet<>();
		for (Arrival arrival : this.queue.firstArrivals()) {
			Place place = this.committed.get(arrival.messageId());
			if (!place.key().isEmpty() && !this.onceDead.contains(arrival.messageId())) {
				keys.add(place.key());
				assertThat(place.number()).as("of key %s", place.key())
					.isGreaterThan(last.getOrDefault(place.key(), -1));
				last.put(place.key(), place.number());
			}
		}
		assertThat(keys).hasSize(WRITERS * KEYS);
	}

	/**
	 * Where a message belongs.
	 */
	private record Place(String key, int number) {

	}

	/**
	 * Writes to keys of its own, so that the order of its commits is theirs.
	 */
	private final class Writer {

		private final int number;

		private final Random random;

		private int count;

		Writer(int number) {
			this.number = number;
			this.random = new Random(OperatorFuzzTests.this.seed * 31 + number);
		}

		static String key(int writer, int key) {
			return "key-" + writer + "-" + key;
		}

		Void run() {
			for (int transaction = 0; transaction < TRANSACTIONS; transaction++) {
				Map<String, Place> published = new HashMap<>();
				OperatorFuzzTests.this.application.inTransaction((outbox) -> {
					for (int message = this.random.nextInt(4); message >= 0; message--) {
						String key = (this.random.nextInt(10) > 0) ? key(this.number, this.random.nextInt(KEYS)) : "";
						Object event = (this.random.nextInt(5) == 0) ? new Flaky(key, 0) : new Steady(key, 0);
						String id = outbox.publish(event, PartitionKeyStamp.of(key), DelayStamp.of(delay())).toString();
						published.put(id, new Place(key, this.count++));
					}
				});
				OperatorFuzzTests.this.committed.putAll(published);
				LockSupport.parkNanos(this.random.nextInt(20_000_000));
			}
			return null;
		}

		private Duration delay() {
			return (this.random.nextInt(10) == 0) ? Duration.ofMillis(1 + this.random.nextInt(1_000)) : Duration.ZERO;
		}

	}

}
