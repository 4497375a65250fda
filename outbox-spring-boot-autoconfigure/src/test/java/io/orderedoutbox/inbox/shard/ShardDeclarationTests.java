/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.shard;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.MessageProperties;
import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.servers.Broker;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.RequiresRabbitMq;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.TestQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.amqp.AmqpException;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.core.ChannelCallback;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The queues of shards as properties say them, on a real RabbitMQ: declared, refused, and
 * with another count.
 */
@RequiresRabbitMq
@Timeout(90)
@ExtendWith(OutputCaptureExtension.class)
class ShardDeclarationTests {

	private static final int KEYS = 40;

	private final Database database = Servers.database().fresh();

	private final String name = "outbox-test-" + UUID.randomUUID();

	private final ShardQueues four = ShardQueues.of(this.name, this.name, 4);

	private final ShardQueues six = ShardQueues.of(this.name, this.name, 6);

	private final ShardQueues further = ShardQueues.of(this.name, this.name + "-further", 2);

	private final CachingConnectionFactory factory = factory();

	private Connection connection;

	private Channel channel;

	private static CachingConnectionFactory factory() {
		Broker broker = Servers.broker();
		CachingConnectionFactory factory = new CachingConnectionFactory(broker.host(), broker.port());
		factory.setUsername(broker.username());
		factory.setPassword(broker.password());
		return factory;
	}

	@BeforeEach
	void connect() throws Exception {
		this.connection = TestQueue.connect("outbox-test");
		this.channel = this.connection.createChannel();
	}

	@AfterEach
	void delete() throws Exception {
		delete(this.four, this.six, this.further);
		this.connection.close();
		this.factory.destroy();
	}

	private void delete(ShardQueues... all) throws Exception {
		try (Channel cleaning = this.connection.createChannel()) {
			for (ShardQueues shards : all) {
				for (String queue : shards.names()) {
					cleaning.queueDelete(queue);
				}
				cleaning.queueDelete(shards.deadLetters());
				cleaning.queueDelete(shards.members());
				cleaning.exchangeDelete(shards.marker());
			}
			cleaning.exchangeDelete(this.name);
		}
	}

	@Test
	void propertiesAloneDeclareQueuesThatShareThePartitions() throws Exception {
		try (OutboxApplication application = application(4).start()) {
			assertThat(application.bean(ShardQueues.class)).isEqualTo(this.four);
			publish(application, 1);
			for (String queue : this.four.names()) {
				assertThat(this.channel.messageCount(queue)).isPositive();
			}
		}
	}

	@Test
	void aConsumerWithoutAnOutboxDeclaresThem() throws Exception {
		try (OutboxApplication application = application(4).with("outbox.enabled", false)
			.with("outbox.partitions", 128)
			.start()) {
			assertThat(application.bean(ShardQueues.class).partitions()).isEqualTo(128);
			this.channel.confirmSelect();
			this.channel.basicPublish(this.name, "127", null, new byte[0]);
			this.channel.waitForConfirmsOrDie();
			assertThat(this.channel.messageCount(this.four.queueOf(127))).isOne();
		}
	}

	@Test
	void queuesOfAFurtherConsumerAreDeclaredToo() {
		try (OutboxApplication application = application(4).with(Further.class).start()) {
			assertThat(application.context().getBeansOfType(ShardQueues.class)).hasSize(2);
			assertThat(exists(this.four.names()[0])).isTrue();
			assertThat(exists(this.further.names()[0])).isTrue();
		}
	}

	@Test
	void theChildOfAnotherContextDeclaresThem() {
		try (AnnotationConfigApplicationContext parent = new AnnotationConfigApplicationContext()) {
			parent.refresh();
			application(4).childOf(parent).start().close();
			assertThat(exists(this.four.names()[0])).isTrue();
		}
	}

	@Test
	void queuesThatAreABeanAloneAreDeclared() {
		OutboxApplication.Builder application = sender().with("outbox.enabled", false).with(Further.class);
		application.with("outbox.rabbit.shards.declare", false).start().close();
		assertThat(exists(this.further.names()[0])).isFalse();
		application.with("outbox.rabbit.shards.declare", true).start().close();
		assertThat(exists(this.further.names()[0])).isTrue();
	}

	@Test
	void whatSomebodyElseDeclaresIsLeftToThem() throws Exception {
		try (OutboxApplication application = application(4).with("outbox.rabbit.shards.declare", false).start()) {
			assertThat(application.bean(ShardQueues.class).names()).hasSize(4);
			assertThat(exists(this.four.names()[0])).isFalse();
		}
	}

	@Test
	void withoutACountThereAreNone() {
		try (OutboxApplication application = OutboxApplication.on(this.database).withoutRelay().start()) {
			assertThatExceptionOfType(NoSuchBeanDefinitionException.class)
				.isThrownBy(() -> application.bean(ShardQueues.class));
		}
	}

	@Test
	void aQueueWithOtherArgumentsIsNamedWithWhatItHasAndWhatItNeeds() throws Exception {
		this.channel.queueDeclare(this.four.names()[2], true, false, false, Map.of("x-queue-type", "quorum"));
		assertThatExceptionOfType(OutboxConfigurationException.class).isThrownBy(() -> application(4).start())
			.satisfies((refusal) -> {
				assertThat(refusal.getDescription()).isEqualTo(
						"The queue '%s' is there already, with another 'x-single-active-consumer': it has none, and shards need 'true'."
							.formatted(this.four.names()[2]));
				assertThat(refusal.getRemedy()).contains("delete it", "outbox.rabbit.shards.declare=false");
			});
	}

	@Test
	void anExchangeOfAnotherTypeIsNamedWithWhatItHasAndWhatItNeeds() throws Exception {
		this.channel.exchangeDeclare(this.name, "topic", true);
		assertThatExceptionOfType(OutboxConfigurationException.class).isThrownBy(() -> application(4).start())
			.withMessageContaining(
					"The exchange '%s' is there already, with another 'type': it has 'topic', and shards need 'direct'."
						.formatted(this.name));
	}

	@Test
	void aBrokerThatIsAwayDoesNotEndTheStart(CapturedOutput output) {
		try (OutboxApplication application = application(4).withoutRelay().with("spring.rabbitmq.port", 1).start()) {
			assertThat(application.bean(ShardQueues.class)).isNotNull();
			assertThat(output).contains("The queues of the shards could not be declared or checked");
		}
	}

	@Test
	void anotherCountIsRefusedWithABacklogAndChangesNothing() throws Exception {
		try (OutboxApplication before = application(4).start()) {
			publish(before, 1);
			assertThatExceptionOfType(OutboxConfigurationException.class).isThrownBy(() -> application(6).start())
				.withMessageContaining("'%s.4.*'".formatted(this.name))
				.withMessageContaining(KEYS + " message(s)")
				.withMessageContaining("outbox.rabbit.shards.count=4");
			assertThat(exists(this.six.names()[0])).isFalse();
			publish(before, 2);
			assertThat(drain(this.four, 2 * KEYS)).hasSize(2 * KEYS);
		}
	}

	@Test
	void anotherCountIsRefusedWhileTheOldQueuesHaveAConsumer() throws Exception {
		application(4).start().close();
		this.channel.basicConsume(this.four.names()[3], (tag, delivery) -> {
		}, (tag) -> {
		});
		assertThatExceptionOfType(OutboxConfigurationException.class).isThrownBy(() -> application(6).start())
			.withMessageContaining("1 consumer(s)");
	}

	@Test
	void eachKeyKeepsItsOrderWhenTheCountIsChangedAsDocumented() throws Exception {
		List<String> seen = new ArrayList<>();
		try (OutboxApplication before = application(4).start()) {
			publish(before, 1);
			publish(before, 2);
		}
		assertThatExceptionOfType(OutboxConfigurationException.class).isThrownBy(() -> application(6).start());
		// The relays are stopped, and the business goes on
		try (OutboxApplication draining = application(4).withoutRelay()
			.with("outbox.rabbit.shards.declare", false)
			.start()) {
			publishOnly(draining, 3);
			seen.addAll(drain(this.four, 2 * KEYS));
		}
		try (OutboxApplication after = application(6).start()) {
			publish(after, 4);
			assertThat(Stream.of(this.four.names()).filter(this::exists)).isEmpty();
			seen.addAll(drain(this.six, 2 * KEYS));
		}
		for (int key = 0; key < KEYS; key++) {
			String prefix = "{\"orderId\":\"key-%d\",\"version\":".formatted(key);
			assertThat(seen.stream().filter((body) -> body.startsWith(prefix))).containsExactlyElementsOf(
					IntStream.rangeClosed(1, 4).mapToObj((version) -> prefix + version + "}").toList());
		}
	}

	@Test
	void aQueueWhoseLeaderIsSilentIsNotTakenForEmpty() throws Exception {
		Assumptions.assumeTrue(services("env").contains("OUTBOX_RABBITMQ_PORT=" + Servers.broker().port()),
				"The broker is not that of scripts/services");
		String silent = this.four.names()[2];
		new ShardDeclaration(this.four).run(new RabbitTemplate(this.factory));
		this.channel.confirmSelect();
		this.channel.basicPublish("", silent, MessageProperties.PERSISTENT_BASIC, "a".getBytes(UTF_8));
		this.channel.waitForConfirmsOrDie();
		String leader = "{'%%2F_%s', node()}".formatted(silent);
		services("ctl", "eval", "sys:suspend(%s).".formatted(leader));
		CompletableFuture<Void> resumed;
		try {
			assertThat(this.channel.messageCount(silent)).isZero();
		}
		finally {
			// When all but the last look at the queue is over
			resumed = CompletableFuture.runAsync(() -> services("ctl", "eval", "sys:resume(%s).".formatted(leader)),
					CompletableFuture.delayedExecutor(3, TimeUnit.SECONDS));
		}
		assertThatExceptionOfType(OutboxConfigurationException.class)
			.isThrownBy(() -> new ShardDeclaration(this.six).run(new RabbitTemplate(this.factory)))
			.withMessageContaining("with messages in '%s'".formatted(silent));
		resumed.join();
		assertThat(messages(silent)).isOne();
	}

	private static String services(String... arguments) {
		try {
			List<String> command = new ArrayList<>(List.of("../scripts/services"));
			command.addAll(List.of(arguments));
			Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
			String answer = new String(process.getInputStream().readAllBytes(), UTF_8);
			assertThat(process.waitFor()).as(answer).isZero();
			return answer;
		}
		catch (IOException | InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void aChangeThatWasInterruptedIsFinished() throws Exception {
		application(4).start().close();
		// All is as it is before the second look
		this.channel.exchangeDelete(this.four.marker());
		broker().declare(this.six.declarables());
		try (OutboxApplication after = application(6).start()) {
			publish(after, 1);
			assertThat(Stream.of(this.four.names()).filter(this::exists)).isEmpty();
			assertThat(drain(this.six, KEYS)).hasSize(KEYS);
		}
	}

	@Test
	void whatIsInPartitionsThatTheConsumerDoesNotKnowWaitsInTheOutboxUntilItKnowsThem() throws Exception {
		consumer(16).start().close();
		try (OutboxApplication sender = sender().start()) {
			publishOnly(sender, 1);
			publishOnly(sender, 2);
			Awaitility.await()
				.untilAsserted(() -> assertThat(sender.rows()).isNotEmpty()
					.allMatch((row) -> Integer.parseInt(row.routingKey()) >= 16));
			int waiting = sender.rows().size();
			assertThat(sender.count("last_error LIKE '%NO_ROUTE%'")).isPositive();
			consumer(64).start().close();
			sender.awaitEmpty();
			List<String> seen = drain(this.four, 2 * KEYS);
			assertThat(waiting).isBetween(2, 2 * KEYS - 2);
			for (int key = 0; key < KEYS; key++) {
				String prefix = "{\"orderId\":\"key-%d\",\"version\":".formatted(key);
				assertThat(seen.stream().filter((body) -> body.startsWith(prefix))).containsExactly(prefix + "1}",
						prefix + "2}");
			}
		}
	}

	@Test
	void partitionsThatTheConsumerKnewBeforeGoWhereTheyWent() throws Exception {
		consumer(64).start().close();
		consumer(16).start().close();
		try (OutboxApplication sender = sender().start()) {
			publish(sender, 1);
			assertThat(Stream.of(this.four.names()).mapToLong(this::messages).sum()).isEqualTo(KEYS);
		}
		drain(this.four, KEYS);
		this.channel.confirmSelect();
		this.channel.basicPublish(this.name, "63", null, new byte[0]);
		this.channel.waitForConfirmsOrDie();
		assertThat(messages(this.four.queueOf(63))).isOne();
	}

	// Has no outbox
	private OutboxApplication.Builder consumer(int partitions) {
		return application(4).with("outbox.enabled", false).with("outbox.partitions", partitions);
	}

	// Has no shards
	private OutboxApplication.Builder sender() {
		return OutboxApplication.on(this.database)
			.with("outbox.rabbit.exchange", this.name)
			.with("outbox.rabbit.routing-key", "{partition}");
	}

	private long messages(String queue) {
		try {
			return this.channel.messageCount(queue);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	// After each call of the one to the broker, the other does all that it has to do
	@Test
	@Tag("thorough")
	void ofTwoCountsThatAreDeclaredAtTheSameTimeOneIsLeft() throws Exception {
		ShardQueues old = new ShardQueues(this.name, this.name, 2, 6);
		ShardQueues one = new ShardQueues(this.name, this.name, 4, 6);
		ShardQueues other = new ShardQueues(this.name, this.name, 6, 6);
		int refusals = 0;
		for (int call = 1;; call++) {
			new ShardDeclaration(old).run(new RabbitTemplate(this.factory));
			Interrupted template = new Interrupted(this.factory, call,
					() -> isRefused(other, new RabbitTemplate(this.factory)));
			if (isRefused(one, template)) {
				refusals++;
			}
			assertThat(Stream.of(one, other).map(ShardQueues::marker).filter(broker()::hasExchange)).as("Call %d", call)
				.hasSizeLessThanOrEqualTo(1);
			delete(one, other);
			if (!template.isInterrupted()) {
				break;
			}
		}
		assertThat(refusals).isPositive();
	}

	private static boolean isRefused(ShardQueues shards, RabbitTemplate template) {
		try {
			new ShardDeclaration(shards).run(template);
			return false;
		}
		catch (OutboxConfigurationException | AmqpException ex) {
			return true;
		}
	}

	private static final class Interrupted extends RabbitTemplate {

		private final Runnable other;

		private int callsToGo;

		Interrupted(CachingConnectionFactory factory, int callsToGo, Runnable other) {
			super(factory);
			this.callsToGo = callsToGo;
			this.other = other;
		}

		@Override
		public <T> T execute(ChannelCallback<T> action) {
			try {
				return super.execute(action);
			}
			finally {
				if (--this.callsToGo == 0) {
					this.other.run();
				}
			}
		}

		boolean isInterrupted() {
			return this.callsToGo <= 0;
		}

	}

	private void publish(OutboxApplication application, int version) {
		publishOnly(application, version);
		application.awaitEmpty();
	}

	private void publishOnly(OutboxApplication application, int version) {
		application.inTransaction((outbox) -> IntStream.range(0, KEYS)
			.forEach((key) -> outbox.publish(new OrderPlaced("key-" + key, version))));
	}

	private List<String> drain(ShardQueues shards, int count) throws Exception {
		List<String> bodies = new CopyOnWriteArrayList<>();
		try (Channel consuming = this.connection.createChannel()) {
			for (String queue : shards.names()) {
				consuming.basicConsume(queue, true,
						(tag, delivery) -> bodies.add(new String(delivery.getBody(), UTF_8)), (tag) -> {
						});
			}
			Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> bodies.size() == count);
		}
		// A moment later the broker knows that the consumer is gone
		for (String queue : shards.names()) {
			Awaitility.await().until(() -> this.channel.consumerCount(queue) == 0);
		}
		return bodies;
	}

	private ShardBroker broker() {
		return new ShardBroker(new RabbitTemplate(this.factory));
	}

	private boolean exists(String queue) {
		return broker().find(queue) != null;
	}

	private OutboxApplication.Builder application(int count) {
		return OutboxApplication.on(this.database)
			.with("outbox.rabbit.exchange", this.name)
			.with("outbox.rabbit.routing-key", "{partition}")
			.with("outbox.rabbit.shards.name", this.name)
			.with("outbox.rabbit.shards.count", count);
	}

	@Configuration(proxyBeanMethods = false)
	static class Further {

		@Bean
		ShardQueues furtherQueues(@Value("${outbox.rabbit.exchange}") String exchange) {
			return ShardQueues.of(exchange, exchange + "-further", 2);
		}

	}

}
