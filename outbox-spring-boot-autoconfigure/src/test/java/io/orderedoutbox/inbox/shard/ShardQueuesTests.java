/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.shard;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import io.orderedoutbox.inbox.ProcessOnce;
import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.RequiresRabbitMq;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.TestQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.amqp.core.Declarables;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageListenerContainer;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.config.SimpleRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitAdmin;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Partitions on queues of a real RabbitMQ, from the outbox to consumers.
 */
@RequiresRabbitMq
@Timeout(90)
class ShardQueuesTests {

	private static final int KEYS = 40;

	private static final int VERSIONS = 15;

	private final Database database = Servers.database().fresh();

	private final String name = "outbox-test-" + UUID.randomUUID();

	private final ShardQueues shards = ShardQueues.of(this.name, this.name, 4);

	@AfterEach
	void delete() throws Exception {
		try (Connection connection = TestQueue.connect("outbox-test-cleaning");
				Channel channel = connection.createChannel()) {
			for (String queue : this.shards.names()) {
				channel.queueDelete(queue);
			}
			channel.queueDelete(this.shards.deadLetters());
			channel.queueDelete(this.shards.members());
			channel.exchangeDelete(this.name);
		}
	}

	@Test
	void allMessagesOfAKeyGoToOneQueueAndAllQueuesAreUsed() {
		try (OutboxApplication application = application().with(Topology.class).start()) {
			application.inTransaction((outbox) -> IntStream.range(0, 200)
				.forEach((number) -> outbox.publish(new OrderPlaced("key-" + number % 100, number))));
			application.awaitEmpty();
			RabbitAdmin admin = application.bean(RabbitAdmin.class);
			int[] expected = new int[4];
			for (int number = 0; number < 200; number++) {
				expected[application.bean(OutboxDatabase.class).partitions().of("key-" + number % 100) % 4]++;
			}
			for (int shard = 0; shard < 4; shard++) {
				assertThat(expected[shard]).isPositive();
				assertThat(admin.getQueueInfo(this.shards.names()[shard]).getMessageCount()).isEqualTo(expected[shard]);
			}
		}
	}

	@Test
	void eachKeyIsProcessedOnceAndInOrderAlsoWhenAnotherInstanceTakesOver() {
		try (OutboxApplication first = application().with(Topology.class, Projection.class).start();
				OutboxApplication second = application().with(Topology.class, Projection.class).start()) {
			first.jdbc().sql("CREATE TABLE seen (id SERIAL PRIMARY KEY, body VARCHAR(100))").update();
			first.bean(Projection.class).begin();
			second.bean(Projection.class).begin();
			for (int version = 1; version <= VERSIONS; version++) {
				int current = version;
				first.inTransaction((outbox) -> IntStream.range(0, KEYS)
					.forEach((key) -> outbox.publish(new OrderPlaced("key-" + key, current))));
			}
			for (int change = 1; change < 6; change++) {
				awaitSeen(first.jdbc(), KEYS * change);
				(((change & 1) == 1) ? first : second).bean(Projection.class).end();
				(((change & 1) == 1) ? first : second).bean(Projection.class).begin();
			}
			awaitSeen(second.jdbc(), KEYS * VERSIONS);
			List<String> seen = second.jdbc().sql("SELECT body FROM seen ORDER BY id").query(String.class).list();
			for (int key = 0; key < KEYS; key++) {
				String prefix = "{\"orderId\":\"key-%d\",\"version\":".formatted(key);
				assertThat(seen.stream().filter((body) -> body.startsWith(prefix))).containsExactlyElementsOf(
						IntStream.rangeClosed(1, VERSIONS).mapToObj((version) -> prefix + version + "}").toList());
			}
			assertThat(List.of(first.bean(Projection.class), second.bean(Projection.class)))
				.allSatisfy((projection) -> assertThat(projection.queues()).isNotEmpty());
		}
	}

	private static void awaitSeen(JdbcClient jdbc, int count) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(60))
			.pollInterval(Duration.ofMillis(20))
			.until(() -> jdbc.sql("SELECT COUNT(*) FROM seen").query(Integer.class).single() >= count);
	}

	@Test
	void anApplicationWithTwoConnectionFactoriesStartsWithoutAContainerFactoryForShards() {
		try (OutboxApplication application = OutboxApplication.on(this.database)
			.withoutRelay()
			.with(TwoFactories.class)
			.start()) {
			assertThat(application.context().containsBean("shardListenerContainerFactory")).isFalse();
		}
	}

	@Test
	void definitionsSayTheSameAsTheDeclarations() {
		Map<String, Object> definitions = this.shards.definitions("/");
		assertThat((List<?>) definitions.get("exchanges")).hasSize(1);
		Map<String, Object> arguments = Map.of("x-queue-type", "quorum", "x-delivery-limit", -1, "x-consumer-timeout",
				Duration.ofDays(20).toMillis());
		Map<String, Object> argumentsOfShards = new HashMap<>(arguments);
		argumentsOfShards.put("x-single-active-consumer", true);
		argumentsOfShards.put("x-consumer-timeout", 1_728_000_000L);
		Map<Object, Object> found = new HashMap<>();
		((List<?>) definitions.get("queues"))
			.forEach((queue) -> found.put(((Map<?, ?>) queue).get("name"), ((Map<?, ?>) queue).get("arguments")));
		Map<String, Object> expected = new HashMap<>();
		List.of(this.shards.names()).forEach((name) -> expected.put(name, argumentsOfShards));
		expected.put(this.shards.deadLetters(), arguments);
		expected.put(this.shards.members(), Map.of());
		assertThat(found).isEqualTo(expected);
		List<String> keys = new ArrayList<>();
		((List<?>) definitions.get("bindings")).forEach((binding) -> {
			Map<?, ?> map = (Map<?, ?>) binding;
			keys.add(map.get("routing_key").toString());
			assertThat(map.get("destination"))
				.isEqualTo(this.shards.queueOf(Integer.parseInt(map.get("routing_key").toString())));
		});
		assertThat(keys).containsExactlyElementsOf(IntStream.range(0, 64).mapToObj(String::valueOf).toList());
	}

	@Test
	void thereAreNoMoreQueuesThanPartitions() {
		assertThatIllegalArgumentException().isThrownBy(() -> new ShardQueues("e", "q", 17, 16))
			.withMessageContaining("16");
		assertThatIllegalArgumentException().isThrownBy(() -> new ShardQueues("e", "q", 0, 16));
	}

	private OutboxApplication.Builder application() {
		return OutboxApplication.on(this.database)
			.with("outbox.rabbit.exchange", this.name)
			.with("outbox.rabbit.routing-key", "{partition}")
			.with("outbox.inbox.enabled", true)
			.with("outbox.inbox.initialize-schema", "always")
			.with("spring.rabbitmq.listener.direct.auto-startup", false)
			.with("spring.rabbitmq.listener.direct.prefetch", 10);
	}

	@Configuration(proxyBeanMethods = false)
	static class Topology {

		@Bean
		ShardQueues shards(@Value("${outbox.rabbit.exchange}") String name) {
			return ShardQueues.of(name, name, 4);
		}

		@Bean
		Declarables shardDeclarables(ShardQueues shards) {
			return shards.declarables();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class TwoFactories {

		@Bean
		CachingConnectionFactory orders() {
			return new CachingConnectionFactory();
		}

		@Bean
		CachingConnectionFactory invoices() {
			return new CachingConnectionFactory();
		}

		@Bean
		SimpleRabbitListenerContainerFactory rabbitListenerContainerFactory(
				@Qualifier("orders") CachingConnectionFactory orders) {
			SimpleRabbitListenerContainerFactory factory = new SimpleRabbitListenerContainerFactory();
			factory.setConnectionFactory(orders);
			return factory;
		}

	}

	static class Projection {

		private final Set<String> queues = new HashSet<>();

		private final JdbcClient jdbc;

		private final RabbitListenerEndpointRegistry registry;

		Projection(JdbcClient jdbc, RabbitListenerEndpointRegistry registry) {
			this.jdbc = jdbc;
			this.registry = registry;
		}

		void begin() {
			this.registry.getListenerContainers().forEach(MessageListenerContainer::start);
		}

		void end() {
			this.registry.getListenerContainers().forEach(MessageListenerContainer::stop);
		}

		synchronized Set<String> queues() {
			return this.queues;
		}

		@ProcessOnce("projection")
		@RabbitListener(queues = "#{@shards.names()}", containerFactory = "shardListenerContainerFactory")
		public void on(Message message) {
			this.jdbc.sql("INSERT INTO seen (body) VALUES (?)").param(new String(message.getBody(), UTF_8)).update();
			synchronized (this) {
				this.queues.add(message.getMessageProperties().getConsumerQueue());
			}
		}

	}

}
