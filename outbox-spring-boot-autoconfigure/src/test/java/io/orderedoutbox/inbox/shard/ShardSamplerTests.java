/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.shard;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.MessageProperties;
import io.orderedoutbox.servers.Broker;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.RequiresRabbitMq;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.servers.TcpProxy;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.TestQueue;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.core.ChannelCallback;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeout;

/**
 * What an instance knows of the queues of shards, on a real RabbitMQ.
 */
@RequiresRabbitMq
@Timeout(90)
@ExtendWith(OutputCaptureExtension.class)
class ShardSamplerTests {

	private static final int QUEUES = 4;

	private static final String THREAD = "outbox-inbox-sample";

	private final Database database = Servers.database().fresh();

	private final String name = "outbox-test-" + UUID.randomUUID();

	private final ShardQueues shards = ShardQueues.of(this.name, this.name, QUEUES);

	private final String first = this.shards.queueOf(0);

	private final AtomicInteger asked = new AtomicInteger();

	private final AtomicLong nanoTime = new AtomicLong(1);

	private CachingConnectionFactory factory;

	private Connection connection;

	private Channel channel;

	@BeforeEach
	void connect() throws Exception {
		Broker broker = Servers.broker();
		this.factory = new CachingConnectionFactory(broker.host(), broker.port());
		this.factory.setUsername(broker.username());
		this.factory.setPassword(broker.password());
		this.connection = TestQueue.connect("outbox-test");
		this.channel = this.connection.createChannel();
		this.channel.confirmSelect();
	}

	@AfterEach
	void delete() throws Exception {
		for (String queue : this.shards.names()) {
			this.channel.queueDelete(queue);
		}
		this.channel.exchangeDelete(this.shards.marker());
		this.channel.exchangeDelete(this.name);
		this.connection.close();
		this.factory.destroy();
	}

	@Test
	void itKnowsWhatWaitsInEachQueueAndWhetherAnybodyConsumes() throws Exception {
		try (OutboxApplication application = application().start()) {
			ShardSampler sampler = application.bean(ShardSampler.class);
			assertThat(sampler.queues()).containsExactly(this.shards.names());
			publish(3);
			Awaitility.await().until(() -> status(sampler) != null && status(sampler).messages() == 3);
			assertThat(sampler.current()).hasSize(QUEUES)
				.filteredOn((status) -> !status.queue().equals(this.first))
				.allSatisfy(
						(status) -> assertThat(status).isEqualTo(new ShardStatus(status.queue(), true, 0, 0, null)));
			assertThat(status(sampler).consumers()).isZero();
			assertThat(status(sampler).unattended()).isNotNull();
			assertThat(sampler.age()).isBetween(Duration.ZERO, Duration.ofSeconds(20));
			// The broker counts the one that it hands messages to, and not those behind
			// it
			try (Channel active = consuming(); Channel standingBy = consuming()) {
				assertThat(active.isOpen() && standingBy.isOpen()).isTrue();
				Awaitility.await()
					.until(() -> status(sampler).messages() == 2 && status(sampler).consumers() == 1
							&& status(sampler).unattended() == null);
			}
			Awaitility.await().until(() -> status(sampler).consumers() == 0);
		}
	}

	// Fetches one message, and keeps it
	private Channel consuming() throws Exception {
		Channel consuming = this.connection.createChannel();
		consuming.basicQos(1);
		consuming.basicConsume(this.first, false, (tag, delivery) -> {
		}, (tag) -> {
		});
		return consuming;
	}

	@Test
	void aBrokerThatIsAwayIsUnknownAndToldOfOnce(CapturedOutput output) {
		try (TcpProxy proxy = TcpProxy.toBroker();
				OutboxApplication application = application().brokerThrough(proxy).start()) {
			ShardSampler sampler = application.bean(ShardSampler.class);
			Awaitility.await().until(() -> sampler.current() != null);
			proxy.stop();
			Awaitility.await().until(() -> sampler.current() == null);
			assertThat(sampler.age()).isNull();
			// Nothing but the sampler connects: it has tried again three times
			long begunAt = System.nanoTime();
			Awaitility.await().until(() -> System.nanoTime() - begunAt > Duration.ofSeconds(4).toNanos());
			assertThat(count("The queues of the shards cannot be seen", output)).isOne();
			assertThat(count("Attempting to connect", output)).isZero();
			assertThat(count("ERROR", output)).isZero();
			proxy.start();
			Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> sampler.current() != null);
			Awaitility.await()
				.untilAsserted(() -> assertThat(count("The queues of the shards can be seen again", output)).isOne());
		}
	}

	private static long count(String text, CapturedOutput output) {
		return Pattern.compile(Pattern.quote(text)).matcher(output).results().count();
	}

	@Test
	void whoAsksTheSamplerDoesNotWaitForABrokerThatDoesNotAnswer() {
		try (TcpProxy proxy = TcpProxy.toBroker();
				OutboxApplication application = application().brokerThrough(proxy).start()) {
			ShardSampler sampler = application.bean(ShardSampler.class);
			Awaitility.await().until(() -> sampler.current() != null);
			proxy.holdReplies();
			Awaitility.await()
				.atMost(Duration.ofSeconds(20))
				.until(() -> assertTimeout(Duration.ofSeconds(1), sampler::current) == null);
			proxy.thaw();
			Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> sampler.current() != null);
		}
	}

	@Test
	void anAnswerThatComesLateIsNotTakenForThatOfAnotherQueue() throws Exception {
		try (TcpProxy proxy = TcpProxy.toBroker();
				OutboxApplication application = application().brokerThrough(proxy).start()) {
			ShardSampler sampler = application.bean(ShardSampler.class);
			publish(3);
			Awaitility.await().until(() -> status(sampler) != null && status(sampler).messages() == 3);
			proxy.holdReplies();
			Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> sampler.current() == null);
			// The next question has been asked
			Awaitility.await().until(ShardSamplerTests::awaitsAnAnswer);
			proxy.thaw();
			Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> sampler.current() != null);
			assertThat(sampler.current()).extracting(ShardStatus::messages).containsExactly(3L, 0L, 0L, 0L);
		}
	}

	private static boolean awaitsAnAnswer() {
		return Thread.getAllStackTraces()
			.entrySet()
			.stream()
			.filter((thread) -> thread.getKey().getName().equals(THREAD))
			.flatMap((thread) -> Stream.of(thread.getValue()))
			.anyMatch((frame) -> frame.getClassName().startsWith("com.rabbitmq.client.impl.AMQChannel"));
	}

	@Test
	void withoutAnIntervalNothingIsLookedAt() {
		try (OutboxApplication application = application().with("outbox.monitor.sample-interval", "0s").start()) {
			assertThat(application.bean(ShardSampler.class).isRunning()).isFalse();
			assertThat(application.bean(ShardSampler.class).current()).isNull();
		}
	}

	@Test
	void whenItStopsNothingConnectsAfterItsConnectionIsClosed() {
		AtomicLong looking = new AtomicLong(-1);
		ShardSampler sampler = new ShardSampler(reader(), Duration.ofMillis(1), () -> looking.set(looking()));
		sampler.start();
		Awaitility.await().until(() -> sampler.current() != null);
		Awaitility.await().until(() -> looking() == 1);
		sampler.stop();
		assertThat(looking).hasValue(0);
		assertThat(sampler.current()).isNull();
	}

	// Its thread may be there for a moment after the last look
	private static long looking() {
		return Thread.getAllStackTraces()
			.entrySet()
			.stream()
			.filter((thread) -> thread.getKey().getName().equals(THREAD))
			.filter((thread) -> Stream.of(thread.getValue())
				.anyMatch((frame) -> frame.getClassName().equals(ShardReader.class.getName())))
			.count();
	}

	@Test
	void oneOfThoseThatAreMissingIsAskedForUntilItIsBack() {
		ShardReader reader = reader();
		assertThat(reader.read()).hasSize(QUEUES).noneMatch(ShardStatus::isThere);
		assertThat(this.asked.getAndSet(0)).isEqualTo(QUEUES);
		assertThat(reader.read()).hasSize(QUEUES).noneMatch(ShardStatus::isThere);
		assertThat(this.asked.getAndSet(0)).as("channels that the broker closes").isOne();
		new ShardDeclaration(this.shards).run(new RabbitTemplate(this.factory));
		assertThat(reader.read()).hasSize(QUEUES).allMatch(ShardStatus::isThere);
		assertThat(reader.read()).allMatch((status) -> status.unattended() == null);
	}

	@Test
	void eachOfThoseThatAreMissingIsAskedForInTurn() throws Exception {
		ShardReader reader = reader();
		reader.read();
		new ShardDeclaration(this.shards).run(new RabbitTemplate(this.factory));
		this.channel.queueDelete(this.first);
		for (int look = 0; look < QUEUES; look++) {
			reader.read();
		}
		assertThat(reader.read()).filteredOn((status) -> !status.isThere())
			.extracting(ShardStatus::queue)
			.containsExactly(this.first);
	}

	@Test
	void itKnowsHowManyDeadLettersThereAreWhichNeedNoConsumer() throws Exception {
		String queue = this.shards.deadLetters();
		ShardReader reader = new ShardReader(List.of(), List.of(queue), new RabbitTemplate(this.factory));
		assertThat(reader.read()).containsExactly(new ShardStatus(queue, false, 0, 0, null));
		new ShardDeclaration(this.shards).run(new RabbitTemplate(this.factory));
		this.channel.basicPublish("", queue, MessageProperties.PERSISTENT_BASIC, "a".getBytes(UTF_8));
		this.channel.waitForConfirmsOrDie();
		assertThat(reader.read()).containsExactly(new ShardStatus(queue, true, 1, 0, null));
		this.channel.queueDelete(queue);
	}

	@Test
	void itKnowsForHowLongAQueueHasHadMessagesAndNoConsumer() throws Exception {
		new ShardDeclaration(this.shards).run(new RabbitTemplate(this.factory));
		ShardReader reader = reader();
		publish(1);
		assertThat(unattended(reader)).isEqualTo(Duration.ZERO);
		this.nanoTime.addAndGet(Duration.ofSeconds(7).toNanos());
		assertThat(unattended(reader)).isEqualTo(Duration.ofSeconds(7));
		this.channel.queuePurge(this.first);
		assertThat(unattended(reader)).isNull();
		publish(1);
		assertThat(unattended(reader)).isEqualTo(Duration.ZERO);
		this.nanoTime.addAndGet(Duration.ofSeconds(7).toNanos());
		// The broker was away meanwhile
		reader.forget();
		assertThat(unattended(reader)).isEqualTo(Duration.ZERO);
	}

	private @Nullable Duration unattended(ShardReader reader) {
		return reader.read().get(0).unattended();
	}

	private ShardReader reader() {
		RabbitTemplate counting = new RabbitTemplate(this.factory) {

			@Override
			public <T> T execute(ChannelCallback<T> action) {
				ShardSamplerTests.this.asked.incrementAndGet();
				return super.execute(action);
			}

		};
		return new ShardReader(List.of(this.shards.names()), List.of(), counting, this.nanoTime::get);
	}

	private @Nullable ShardStatus status(ShardSampler sampler) {
		List<ShardStatus> current = sampler.current();
		return (current != null)
				? current.stream().filter((status) -> status.queue().equals(this.first)).findFirst().orElseThrow()
				: null;
	}

	private void publish(int count) throws Exception {
		for (int number = 0; number < count; number++) {
			this.channel.basicPublish(this.name, "0", MessageProperties.PERSISTENT_BASIC,
					String.valueOf(number).getBytes(UTF_8));
		}
		this.channel.waitForConfirmsOrDie();
	}

	private OutboxApplication.Builder application() {
		return OutboxApplication.on(this.database)
			.with("outbox.enabled", false)
			.with("outbox.rabbit.shards.exchange", this.name)
			.with("outbox.rabbit.shards.name", this.name)
			.with("outbox.rabbit.shards.count", QUEUES)
			.with("outbox.monitor.sample-interval", "1s");
	}

}
