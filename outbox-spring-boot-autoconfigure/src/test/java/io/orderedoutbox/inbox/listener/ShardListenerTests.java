/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.listener;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.inbox.shard.ShardQueues;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.servers.TcpProxy;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.amqp.AmqpRejectAndDontRequeueException;
import org.springframework.amqp.ImmediateAcknowledgeAmqpException;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageListenerContainer;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.ChannelProxy;
import org.springframework.amqp.support.converter.MessageConversionException;
import org.springframework.jdbc.core.simple.JdbcClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * How listeners of shards process, acknowledge and try again, on a real RabbitMQ.
 */
class ShardListenerTests extends AbstractShardListenerTests {

	@Test
	void keysAreProcessedSideBySideAndEachInOrder() throws Exception {
		CountDownLatch firstOfEach = new CountDownLatch(4);
		work = (message) -> {
			if (text(message).endsWith("-1")) {
				meet(firstOfEach);
			}
		};
		start(application().with("outbox.rabbit.shards.concurrency", 4));
		for (int number = 1; number <= MANY; number++) {
			for (String key : List.of("a", "b", "c", "d")) {
				publish(key, key + "-" + number);
			}
		}
		awaitProcessed(4 * MANY);
		for (String key : List.of("a", "b", "c", "d")) {
			assertThat(processed(key)).containsExactlyElementsOf(texts(key, 1, MANY));
		}
		awaitEmpty();
	}

	@Test
	void noMoreMessagesAreProcessedAtOnceThanAllowed() throws Exception {
		AtomicInteger now = new AtomicInteger();
		Set<Integer> seen = ConcurrentHashMap.newKeySet();
		CountDownLatch three = new CountDownLatch(3);
		work = (message) -> {
			seen.add(now.incrementAndGet());
			meet(three);
			now.decrementAndGet();
		};
		start(application().with("outbox.rabbit.shards.concurrency", 3));
		for (int key = 0; key < MANY; key++) {
			publish("key-" + key, "text");
		}
		awaitProcessed(MANY);
		assertThat(seen).contains(3).allMatch((count) -> count <= 3);
	}

	@Test
	void unlessItIsSaidOtherwiseAPartitionIsProcessedInOrderWhateverTheKeys() throws Exception {
		AtomicInteger now = new AtomicInteger();
		Set<Integer> seen = ConcurrentHashMap.newKeySet();
		work = (message) -> {
			seen.add(now.incrementAndGet());
			now.decrementAndGet();
		};
		start(application().with("outbox.rabbit.shards.order", "partition"));
		for (int number = 1; number <= 5 * MANY; number++) {
			publish("key-" + number, "a-" + number);
		}
		awaitProcessed(5 * MANY);
		assertThat(PROCESSED).containsExactlyElementsOf(texts("a", 1, 5 * MANY));
		assertThat(seen).containsExactly(1);
	}

	@Test
	void aMessageThatFailsHoldsItsKeyAndNoOther() throws Exception {
		AtomicInteger attempts = new AtomicInteger();
		work = (message) -> {
			if (text(message).equals("bad-1") && attempts.incrementAndGet() <= 5) {
				throw new IllegalStateException("not yet");
			}
		};
		start(application().with("outbox.rabbit.shards.concurrency", 1)
			.with("outbox.rabbit.shards.retry.initial-interval", "200ms")
			.with("outbox.rabbit.shards.retry.max-interval", "200ms"));
		publish("bad", "bad-1");
		publish("bad", "bad-2");
		for (int key = 0; key < MANY; key++) {
			publish("key-" + key, "good-1");
		}
		awaitProcessed(MANY);
		assertThat(PROCESSED).hasSize(MANY).containsOnly("good-1");
		assertThat(retries().heldKeys()).isOne();
		assertThat(retries().heldMessages()).isEqualTo(2);
		awaitProcessed(MANY + 2);
		assertThat(processed("bad")).containsExactly("bad-1", "bad-2");
		assertThat(attempts).hasValue(6);
		assertThat(retries()).isEqualTo(new QueueRetries(this.queue, 0, 0, 5, 0));
		awaitEmpty();
	}

	@Test
	void pausesGrowAndEndAtTheLongest() throws Exception {
		List<Long> times = new CopyOnWriteArrayList<>();
		work = (message) -> {
			times.add(System.nanoTime());
			if (times.size() < 6) {
				throw new IllegalStateException("not yet");
			}
		};
		start(application().with("outbox.rabbit.shards.retry.initial-interval", "100ms")
			.with("outbox.rabbit.shards.retry.max-interval", "400ms"));
		publish("a", "a-1");
		awaitProcessed(1);
		List<Long> pauses = IntStream.range(1, 6)
			.mapToObj((i) -> TimeUnit.NANOSECONDS.toMillis(times.get(i) - times.get(i - 1)))
			.toList();
		List<Integer> least = List.of(100, 200, 400, 400, 400);
		for (int i = 0; i < 5; i++) {
			assertThat(pauses.get(i)).isGreaterThanOrEqualTo(least.get(i));
		}
	}

	@Test
	void aMessageThatIsGivenUpIsADeadLetterAndItsKeyGoesOn() throws Exception {
		AtomicInteger attempts = new AtomicInteger();
		work = (message) -> {
			if (text(message).equals("a-1")) {
				attempts.incrementAndGet();
				throw new IllegalStateException("outer", new IllegalArgumentException("no such product"));
			}
		};
		start(application().with("outbox.rabbit.shards.retry.initial-interval", "10ms")
			.with("outbox.rabbit.shards.retry.max-attempts", 3)
			.with("outbox.rabbit.shards.retry.on-exhausted", "dead-letter"));
		publish("a", "a-1");
		publish("a", "a-2");
		awaitProcessed(1);
		assertThat(PROCESSED).containsExactly("a-2");
		assertThat(attempts).hasValue(3);
		assertThat(retries()).isEqualTo(new QueueRetries(this.queue, 0, 0, 2, 1));
		awaitEmpty();
		assertDeadLetter("a-1", "no such product");
	}

	@Test
	void aDeadLetterGoesToNoOtherQueueThatItsMessageNames() throws Exception {
		String other = this.channel.queueDeclare().getQueue();
		work = (message) -> {
			throw new AmqpRejectAndDontRequeueException("malformed");
		};
		start(application());
		this.channel.basicPublish(this.name, "7",
				new BasicProperties.Builder().messageId("id-of-a-1")
					.type("order.placed")
					.deliveryMode(2)
					.headers(Map.of("x-partition-key", "a", "CC", List.of(other)))
					.build(),
				"a-1".getBytes(StandardCharsets.UTF_8));
		Awaitility.await().until(() -> this.channel.messageCount(this.shards.deadLetters()) == 1);
		assertThat(this.channel.messageCount(other)).isZero();
		assertDeadLetter("a-1", "malformed");
	}

	@Test
	void deadLettersThatAreReplayedKeepTheirIdsAndTheirOrder() throws Exception {
		AtomicBoolean isMended = new AtomicBoolean();
		Set<String> ids = ConcurrentHashMap.newKeySet();
		work = (message) -> {
			if (!isMended.get()) {
				throw new AmqpRejectAndDontRequeueException("malformed");
			}
			ids.add(message.getMessageProperties().getMessageId());
			assertThat(message.getMessageProperties().getHeaders()).containsOnlyKeys("x-partition-key");
			assertThat(message.getMessageProperties().getReceivedExchange()).isEqualTo(this.name);
			assertThat(message.getMessageProperties().getReceivedRoutingKey()).isEqualTo("7");
		};
		start(application());
		for (int number = 1; number <= MANY; number++) {
			publish("a", "a-" + number);
		}
		Awaitility.await().until(() -> this.channel.messageCount(this.shards.deadLetters()) == MANY);
		isMended.set(true);
		// Other consumers of the exchange have processed them
		String other = this.channel.queueDeclare().getQueue();
		this.channel.queueBind(other, this.name, "7");
		assertThat(this.application.bean(DeadLetterReplay.class).run(this.shards)).isEqualTo(MANY);
		assertThat(this.channel.messageCount(other)).isZero();
		awaitProcessed(MANY);
		assertThat(PROCESSED).containsExactlyElementsOf(texts("a", 1, MANY));
		assertThat(ids).hasSize(MANY).contains("id-of-a-1");
		assertThat(this.channel.messageCount(this.shards.deadLetters())).isZero();
	}

	@ParameterizedTest
	@ValueSource(strings = { "block", "dead-letter" })
	void whatAnotherAttemptCannotMendIsADeadLetterAtOnce(String exhausted) throws Exception {
		AtomicInteger attempts = new AtomicInteger();
		work = (message) -> {
			if (text(message).equals("a-1")) {
				attempts.incrementAndGet();
				throw new AmqpRejectAndDontRequeueException("malformed");
			}
		};
		start(application().with("outbox.rabbit.shards.retry.on-exhausted", exhausted));
		publish("a", "a-1");
		publish("a", "a-2");
		awaitProcessed(1);
		assertThat(attempts).hasValue(1);
		awaitEmpty();
		assertDeadLetter("a-1", "malformed");
	}

	@Test
	void deadLettersKeepTheirPlacesWhenAReplayFails() throws Exception {
		work = (message) -> {
			throw new AmqpRejectAndDontRequeueException("malformed");
		};
		start(application());
		for (int number = 1; number <= 4; number++) {
			publish("a", "a-" + number);
		}
		Awaitility.await().until(() -> this.channel.messageCount(this.shards.deadLetters()) == 4);
		DeadLetterReplay replay = this.application.bean(DeadLetterReplay.class);
		// They are given back once, then once more
		assertThat(replay.discard(this.shards, "nobody")).isFalse();
		assertThatException().isThrownBy(() -> replay.run(ShardQueues.of(this.name, this.name, 2)));
		Awaitility.await().until(() -> this.channel.messageCount(this.shards.deadLetters()) == 4);
		for (String text : texts("a", 1, 4)) {
			assertThat(new String(this.channel.basicGet(this.shards.deadLetters(), true).getBody())).isEqualTo(text);
		}
	}

	@Test
	void aMessageThatCannotBeConvertedIsADeadLetterThoughAQueueHasDeadLetteredItBefore() throws Exception {
		work = (message) -> {
			throw new MessageConversionException("malformed");
		};
		start(application());
		this.channel.basicPublish(this.name, "7",
				new BasicProperties.Builder().messageId("id-of-a-1")
					.type("order.placed")
					.deliveryMode(2)
					.headers(Map.of("x-partition-key", "a", "x-death",
							List.of(Map.of("queue", "delay", "reason", "expired", "count", 1L))))
					.build(),
				"a-1".getBytes(StandardCharsets.UTF_8));
		Awaitility.await().until(() -> this.channel.messageCount(this.shards.deadLetters()) == 1);
		assertDeadLetter("a-1", "malformed");
	}

	@Test
	void aHandlerOfErrorsMaySayThatAMessageIsToBeAcknowledged() throws Exception {
		AtomicInteger attempts = new AtomicInteger();
		work = (message) -> {
			if (text(message).equals("a-1")) {
				attempts.incrementAndGet();
				throw new IllegalStateException("no");
			}
		};
		start(application().with(Acknowledging.class).with("outbox.rabbit.shards.retry.initial-interval", "10ms"));
		publish("a", "a-1");
		publish("a", "a-2");
		awaitProcessed(1);
		awaitEmpty();
		assertThat(attempts).hasValue(1);
	}

	@Test
	void whateverThePrefetchOfOthersIsEachKeyIsProcessedInOrder() throws Exception {
		work = (message) -> {
			throw new IllegalStateException("not yet");
		};
		start(application());
		for (int number = 1; number <= 5 * MANY; number++) {
			publish("a", "a-" + number);
		}
		Awaitility.await().until(() -> this.channel.messageCount(this.queue) == 0);
		this.application.close();
		start(application().with("spring.rabbitmq.listener.direct.prefetch", MANY));
		Awaitility.await().until(() -> retries().heldMessages() >= MANY);
		this.application.close();
		work = (message) -> {
		};
		start(application());
		awaitProcessed(5 * MANY);
		assertThat(PROCESSED).containsExactlyElementsOf(texts("a", 1, 5 * MANY));
	}

	@Test
	void whereThereIsNoQueueForDeadLettersNothingIsLost() throws Exception {
		work = (message) -> {
			if (text(message).equals("a-1")) {
				throw new AmqpRejectAndDontRequeueException("malformed");
			}
		};
		startWithoutDeadLetters(application().with("outbox.rabbit.shards.retry.initial-interval", "50ms")
			.with("outbox.rabbit.shards.retry.max-interval", "50ms"));
		publish("a", "a-1");
		publish("a", "a-2");
		publish("b", "b-1");
		awaitProcessed(1);
		assertThat(PROCESSED).containsExactly("b-1");
		this.channel.queueDeclare(this.shards.deadLetters(), true, false, false, Map.of());
		awaitProcessed(2);
		assertThat(PROCESSED).containsExactly("b-1", "a-2");
		assertDeadLetter("a-1", "malformed");
	}

	@Test
	void whatFailsForEverHoldsItsKeyUnlessItIsToBeADeadLetter() throws Exception {
		AtomicInteger attempts = new AtomicInteger();
		work = (message) -> {
			if (text(message).equals("a-1")) {
				attempts.incrementAndGet();
				throw new IllegalStateException("for ever");
			}
		};
		start(application().with("outbox.rabbit.shards.retry.initial-interval", "10ms")
			.with("outbox.rabbit.shards.retry.max-interval", "10ms")
			.with("outbox.rabbit.shards.retry.max-attempts", 3));
		publish("a", "a-1");
		publish("a", "a-2");
		Awaitility.await().until(() -> attempts.get() >= 20);
		assertThat(PROCESSED).isEmpty();
		assertThat(this.channel.messageCount(this.shards.deadLetters())).isZero();
	}

	@Test
	void whatIsProcessedWhenTheContainerStopsIsAcknowledgedAndNothingElseBegins() throws Exception {
		Semaphore gate = new Semaphore(0);
		CountDownLatch begun = new CountDownLatch(1);
		work = (message) -> {
			begun.countDown();
			gate.acquireUninterruptibly();
		};
		start(application());
		publish("a", "a-1");
		publish("a", "a-2");
		publish("a", "a-3");
		await(begun);
		Thread stopping = new Thread(() -> containers().forEach(MessageListenerContainer::stop));
		stopping.start();
		Awaitility.await().until(() -> stopping.getState() == Thread.State.TIMED_WAITING);
		gate.release(3);
		// Less than its timeout
		stopping.join(3_000);
		assertThat(stopping.isAlive()).isFalse();
		assertThat(PROCESSED).containsExactly("a-1");
		Awaitility.await().until(() -> this.channel.messageCount(this.queue) == 2);
		containers().forEach(MessageListenerContainer::start);
		awaitProcessed(3);
		assertThat(PROCESSED).containsExactlyElementsOf(texts("a", 1, 3));
	}

	@Test
	void aConnectionThatIsLostInTheMiddleCostsNeitherOrderNorASecondEffect() throws Exception {
		start(once().with("outbox.rabbit.shards.retry.initial-interval", "1h")
			.with("outbox.rabbit.shards.retry.max-interval", "1h"));
		JdbcClient jdbc = this.application.jdbc();
		jdbc.sql("CREATE TABLE effect (id SERIAL PRIMARY KEY, text VARCHAR(100))").update();
		AtomicInteger failures = new AtomicInteger();
		work = (message) -> {
			// In a pause of an hour, which the next delivery ends
			if (text(message).equals("key-3-2") && failures.incrementAndGet() == 1) {
				throw new IllegalStateException("once");
			}
			jdbc.sql("INSERT INTO effect (text) VALUES (?)").param(text(message)).update();
		};
		containers().forEach(MessageListenerContainer::start);
		for (int number = 1; number <= MANY; number++) {
			for (int key = 0; key < 5; key++) {
				publish("key-" + key, "key-" + key + "-" + number);
			}
			if (number % 5 == 0) {
				int least = number;
				Awaitility.await().until(() -> effects(jdbc).size() >= 3 * least);
				this.application.bean(CachingConnectionFactory.class).resetConnection();
			}
		}
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> effects(jdbc).size() >= 5 * MANY);
		awaitEmpty();
		List<String> effects = effects(jdbc);
		assertThat(effects).hasSize(5 * MANY);
		for (int key = 0; key < 5; key++) {
			String prefix = "key-" + key;
			assertThat(effects.stream().filter((text) -> text.startsWith(prefix + "-")))
				.containsExactlyElementsOf(texts(prefix, 1, MANY));
		}
	}

	@Test
	void whatTheBrokerTakesBackBecauseItWaitsTooLongComesAgainInOrder() throws Exception {
		Map<String, Object> arguments = new HashMap<>(this.shards.declarables()
			.getDeclarablesByType(Queue.class)
			.stream()
			.filter((declared) -> declared.getName().equals(this.queue))
			.findFirst()
			.orElseThrow()
			.getArguments());
		arguments.put("x-consumer-timeout", 2_000);
		this.channel.exchangeDeclare(this.name, "direct", true);
		this.channel.queueDeclare(this.queue, true, false, false, arguments);
		this.channel.queueBind(this.queue, this.name, "7");
		AtomicBoolean cameAgain = new AtomicBoolean();
		work = (message) -> {
			if (Boolean.TRUE.equals(message.getMessageProperties().isRedelivered())) {
				cameAgain.set(true);
			}
			if (text(message).equals("a-1") && !cameAgain.get()) {
				throw new IllegalStateException("not yet");
			}
		};
		start(application().with("outbox.rabbit.shards.declare", false)
			.with("outbox.rabbit.shards.retry.initial-interval", "100ms"));
		publish("a", "a-1");
		publish("a", "a-2");
		publish("b", "b-1");
		awaitProcessed(3);
		awaitEmpty();
		assertThat(PROCESSED).containsExactly("b-1", "a-1", "a-2");
	}

	@Test
	void aMessageThatIsTriedAgainKeepsItsIdAndWhatAnAttemptHasChangedIsAsItWas() throws Exception {
		List<String> seen = new CopyOnWriteArrayList<>();
		work = (message) -> {
			seen.add(String.valueOf(message.getMessageProperties().getHeaders().get("x-changed")));
			message.getMessageProperties().setHeader("x-changed", "yes");
			if (seen.size() == 1) {
				throw new IllegalStateException("once");
			}
		};
		start(once().with("outbox.rabbit.shards.concurrency", 1)
			.with("outbox.rabbit.shards.retry.initial-interval", "10ms"));
		containers().forEach(MessageListenerContainer::start);
		publish("a", "a-1");
		publish("a", "a-1");
		Awaitility.await().until(() -> seen.size() == 2);
		awaitEmpty();
		containers().forEach(MessageListenerContainer::stop);
		assertThat(seen).containsExactly("null", "null");
		String id = Servers.database().choose("message_id", "encode(message_id, 'escape')");
		assertThat(this.application.jdbc().sql("SELECT %s FROM inbox_message".formatted(id)).query(String.class).list())
			.containsExactly("id-of-a-1");
		assertThat(this.channel.messageCount(this.queue)).isZero();
	}

	@ParameterizedTest
	@ValueSource(strings = { "spring.rabbitmq.listener.direct.default-requeue-rejected=false",
			"spring.rabbitmq.listener.direct.prefetch=1" })
	void whatIsToBlockDoesSoWhateverElseIsSet(String property) throws Exception {
		AtomicInteger attempts = new AtomicInteger();
		work = (message) -> {
			if (attempts.incrementAndGet() < 4) {
				throw new IllegalStateException("not yet");
			}
		};
		start(application()
			.with(property.substring(0, property.indexOf('=')), property.substring(property.indexOf('=') + 1))
			.with("outbox.rabbit.shards.retry.initial-interval", "10ms"));
		publish("a", "a-1");
		publish("a", "a-2");
		awaitProcessed(2);
		assertThat(PROCESSED).containsExactly("a-1", "a-2");
		assertThat(this.channel.messageCount(this.shards.deadLetters())).isZero();
	}

	@Test
	void aBrokerThatIsAwayAtTheStartIsConsumedFromWhenItIsThere() throws Exception {
		start(application());
		this.application.close();
		publish("a", "a-1");
		PROCESSED.clear();
		try (TcpProxy proxy = TcpProxy.to(Servers.broker().host(), Servers.broker().port())) {
			proxy.stop();
			start(application().brokerThrough(proxy));
			proxy.start();
			awaitProcessed(1);
			publish("a", "a-2");
			awaitProcessed(2);
			assertThat(PROCESSED).containsExactly("a-1", "a-2");
			this.application.close();
		}
	}

	@Test
	void anApplicationWhoseBrokerIsAwaySinceItsStartIsClosedAtOnce() throws Exception {
		try (TcpProxy proxy = TcpProxy.to(Servers.broker().host(), Servers.broker().port())) {
			proxy.stop();
			start(application().brokerThrough(proxy));
			long start = System.nanoTime();
			this.application.close();
			// The pause between two attempts to connect has 5, and a phase of closing 30
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(15));
		}
	}

	@Test
	void aListenerOfBatchesIsRefused() {
		assertThatException().isThrownBy(() -> without().with(Batches.class).start())
			.havingRootCause()
			.isInstanceOf(OutboxConfigurationException.class)
			.withMessageContaining("in batches");
	}

	// Spring's proxy opens another channel then, on which nothing of this one counts
	@Test
	void whatCameByAChannelThatIsClosedIsNeitherProcessedNorAcknowledgedOnAnotherOne() throws Exception {
		CountDownLatch allWait = new CountDownLatch(1);
		AtomicInteger closed = new AtomicInteger();
		work = (message) -> {
			await(allWait);
			if (closed.incrementAndGet() == 1) {
				close(((ChannelProxy) CURRENT.get()).getTargetChannel());
			}
		};
		start(application());
		for (int number = 1; number <= MANY; number++) {
			publish("a", "a-" + number);
		}
		Awaitility.await().until(() -> this.channel.messageCount(this.queue) == 0);
		allWait.countDown();
		awaitProcessed(MANY + 1);
		List<String> expected = new ArrayList<>(texts("a", 1, MANY));
		expected.add(0, "a-1");
		assertThat(PROCESSED).containsExactlyElementsOf(expected);
		containers().forEach(MessageListenerContainer::stop);
		assertThat(this.channel.messageCount(this.queue)).isZero();
	}

	private static void close(Channel channel) {
		try {
			channel.close();
		}
		catch (IOException | TimeoutException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static List<String> effects(JdbcClient jdbc) {
		return jdbc.sql("SELECT text FROM effect ORDER BY id").query(String.class).list();
	}

	@Test
	void aListenerThatAcknowledgesByItselfIsRefused() {
		assertThatException()
			.isThrownBy(() -> application().with("spring.rabbitmq.listener.direct.acknowledge-mode", "manual").start())
			.havingRootCause()
			.isInstanceOf(OutboxConfigurationException.class)
			.withMessageContaining("acknowledge mode MANUAL");
	}

	@Test
	@EnabledForJreRange(min = JRE.JAVA_21)
	void theThreadsAreVirtualWhereThoseOfSpringBootAre() throws Exception {
		List<String> threads = new CopyOnWriteArrayList<>();
		work = (message) -> threads.add(Thread.currentThread().toString());
		start(application().with("spring.threads.virtual.enabled", true));
		publish("a", "a-1");
		awaitProcessed(1);
		assertThat(threads).allMatch((text) -> text.startsWith("VirtualThread") && text.contains("outbox-shard-"));
	}

	static class Acknowledging {

		Acknowledging(ShardListenerContainerFactory factory) {
			factory.setErrorHandler((failure) -> {
				throw new ImmediateAcknowledgeAmqpException("known");
			});
		}

	}

	static class Batches {

		@RabbitListener(queues = "#{@shardQueues.names()}", containerFactory = "shardListenerContainerFactory",
				batch = "true")
		void on(List<Message> messages) {
		}

	}

}
