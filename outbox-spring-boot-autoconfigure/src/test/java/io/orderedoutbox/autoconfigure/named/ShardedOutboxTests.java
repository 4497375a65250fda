/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.named;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.orderedoutbox.MessageIdStamp;
import io.orderedoutbox.OutboxEnvelope;
import io.orderedoutbox.OutboxPublicationException;
import io.orderedoutbox.OutboxSuppression;
import io.orderedoutbox.PartitionKeyStamp;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.OutboxApplication.Builder;
import io.orderedoutbox.testing.TestQueue;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests for an application whose data is in several databases, each with an outbox: one
 * DataSource chooses the database when a transaction begins.
 */
class ShardedOutboxTests {

	private static final ThreadLocal<String> SHARD = new ThreadLocal<>();

	private final Database north = Servers.database().fresh();

	private final Database south = Servers.database().fresh();

	private final TestQueue queue = TestQueue.forEverything();

	@AfterEach
	void close() {
		SHARD.remove();
		this.queue.close();
	}

	@ParameterizedTest
	@ValueSource(classes = { Routing.class, RoutingBehindLazyConnections.class })
	void anEventIsStoredInTheShardOfItsTransaction(Class<?> configuration) {
		try (OutboxApplication application = withoutRelays(configuration).start()) {
			publish(application, "north", new OrderPlaced("a", 1));
			publish(application, "south", new OrderPlaced("b", 1), new OrderPlaced("b", 2));
			assertThat(keys(application, "north")).containsExactly("a");
			assertThat(keys(application, "south")).containsExactly("b", "b");
		}
	}

	@Test
	void soIsWhatIsPublishedWithStamps() {
		try (OutboxApplication application = withoutRelays(Routing.class).start()) {
			SHARD.set("south");
			application.inTransaction((outbox) -> outbox.publish(new OrderPlaced("a", 1), PartitionKeyStamp.of("x")));
			assertThat(keys(application, "north")).isEmpty();
			assertThat(keys(application, "south")).containsExactly("x");
		}
	}

	@Test
	void theShardIsThatOfTheConnectionAndNotOfTheMomentOfThePublication() {
		try (OutboxApplication application = withoutRelays(Routing.class).start()) {
			SHARD.set("north");
			application.transaction().executeWithoutResult((status) -> {
				SHARD.set("south");
				application.context().publishEvent(new OrderPlaced("a", 1));
			});
			assertThat(keys(application, "north")).containsExactly("a");
			assertThat(keys(application, "south")).isEmpty();
		}
	}

	@Test
	void aTransactionThatRollsBackStoresNothing() {
		try (OutboxApplication application = withoutRelays(Routing.class).start()) {
			SHARD.set("north");
			assertThatIllegalStateException()
				.isThrownBy(() -> application.transaction().executeWithoutResult((status) -> {
					application.context().publishEvent(new OrderPlaced("a", 1));
					throw new IllegalStateException("as the test wants it");
				}));
			assertThat(keys(application, "north")).isEmpty();
		}
	}

	@Test
	@Tag("order")
	void twoInstancesKeepTheOrderOfEachKeyInEachShard() {
		int versions = 60;
		List<String> keys = List.of("north-1", "north-2", "south-1", "south-2");
		try (OutboxApplication one = application(Routing.class).start();
				OutboxApplication two = application(Routing.class).start()) {
			publish(keys, 0, versions, one, two);
			this.queue.await(keys.size() * versions);
			assertThat(keys).allSatisfy((key) -> assertThat(this.queue.versionsOf(key))
				.isEqualTo(IntStream.range(0, versions).boxed().toList()));
			Awaitility.await()
				.untilAsserted(
						() -> assertThat(Stream.of("north", "south").flatMap((shard) -> keys(one, shard).stream()))
							.isEmpty());
		}
	}

	@Test
	@Tag("order")
	void anInstanceForEachShardKeepsTheOrderOfEachKeyAndLeavesTheOtherShard() {
		int versions = 60;
		List<String> keys = List.of("north-1", "north-2", "south-1", "south-2");
		try (OutboxApplication ofNorth = relayingOnly("north").start()) {
			try (OutboxApplication ofSouth = relayingOnly("south").start()) {
				publish(keys, 0, versions, ofNorth, ofSouth);
				this.queue.await(keys.size() * versions);
			}
			publish(keys, versions, 2 * versions, ofNorth, ofNorth);
			this.queue.await(keys.size() * versions + 2 * versions);
			assertThat(keys(ofNorth, "south")).hasSize(2 * versions);
			try (OutboxApplication ofSouth = relayingOnly("south").start()) {
				this.queue.await(2 * keys.size() * versions);
				assertThat(keys).allSatisfy((key) -> assertThat(this.queue.versionsOf(key))
					.isEqualTo(IntStream.range(0, 2 * versions).boxed().toList()));
				Awaitility.await().untilAsserted(() -> assertThat(keys(ofSouth, "south")).isEmpty());
			}
		}
	}

	private Builder relayingOnly(String shard) {
		return application(Routing.class)
			.with("outbox.named.%s.relay.mode".formatted(shard.equals("north") ? "south" : "north"), "off");
	}

	private static void publish(List<String> keys, int from, int to, OutboxApplication one, OutboxApplication two) {
		CompletableFuture<?>[] writers = keys.stream()
			.map((key) -> CompletableFuture.runAsync(() -> IntStream.range(from, to)
				.forEach((version) -> publish((version % 2 == 0) ? one : two, key.substring(0, 5),
						new OrderPlaced(key, version)))))
			.toArray(CompletableFuture<?>[]::new);
		CompletableFuture.allOf(writers).join();
	}

	@Test
	void withoutATransactionOfAShardAnEventIsRefused() {
		try (OutboxApplication application = withoutRelays(Routing.class).start()) {
			assertThatExceptionOfType(OutboxPublicationException.class)
				.isThrownBy(() -> application.context().publishEvent(new OrderPlaced("a", 1)))
				.withMessageContaining("north, south");
		}
	}

	@Test
	void aShardWithoutAnOutboxRefusesEvents() {
		try (OutboxApplication application = withoutRelays(Routing.class).with("outbox.named.south.enabled", false)
			.start()) {
			assertThatExceptionOfType(OutboxPublicationException.class)
				.isThrownBy(() -> publish(application, "south", new OrderPlaced("a", 1)))
				.withMessageContaining("without a transaction that one of the outboxes could join");
		}
	}

	@Test
	void aTransactionWhoseShardIsNotChosenYetLeavesNothingOnItsThread() {
		try (OutboxApplication application = withoutRelays(RoutingBehindLazyConnections.class).start()) {
			// The proxy asks a connection once for its defaults
			publish(application, "north", new OrderPlaced("first", 1));
			SHARD.remove();
			application.transaction().executeWithoutResult((status) -> {
				SHARD.set("north");
				assertThat(application.jdbc().sql("SELECT 1").query(Integer.class).single()).isOne();
				assertThatExceptionOfType(OutboxPublicationException.class)
					.isThrownBy(() -> application.context().publishEvent(new OrderPlaced("a", 1)));
			});
			assertThat(TransactionSynchronizationManager.isActualTransactionActive()).isFalse();
			assertThat(TransactionSynchronizationManager.getResourceMap()).isEmpty();
			publish(application, "south", new OrderPlaced("b", 1));
			assertThat(keys(application, "south")).containsExactly("b");
		}
	}

	@Test
	void withAllOutboxesSwitchedOffEventsAreOrdinary() {
		try (OutboxApplication application = withoutRelays(Routing.class).with("outbox.named.north.enabled", false)
			.with("outbox.named.south.enabled", false)
			.start()) {
			publish(application, "north", new OrderPlaced("a", 1));
			application.context().publishEvent(new OrderPlaced("a", 2));
			UUID id = UUID.randomUUID();
			assertThat(application.outbox().publish(new OrderPlaced("a", 3), MessageIdStamp.of(id))).isEqualTo(id);
		}
	}

	@Test
	void whatIsSuppressedNeedsNoTransactionOfAShard() {
		try (OutboxApplication application = withoutRelays(Routing.class).start()) {
			UUID id = UUID.randomUUID();
			OutboxSuppression.run(() -> assertThat(
					application.outbox().publish(OutboxEnvelope.of(new OrderPlaced("a", 1), MessageIdStamp.of(id))))
				.isEqualTo(id));
			assertThat(keys(application, "north")).isEmpty();
			assertThat(keys(application, "south")).isEmpty();
		}
	}

	@Test
	void shardsThatCannotBeToldApartAreRefused() {
		assertThatThrownBy(() -> withoutRelays(Routing.class).with("outbox.named.south.data-source", "northDataSource")
			.with("outbox.named.south.jdbc.table-prefix", "south_")
			.start()).hasStackTraceContaining("cannot be told apart").hasStackTraceContaining("a database of its own");
	}

	private Builder withoutRelays(Class<?> configuration) {
		return application(configuration).with("outbox.named.north.relay.mode", "off")
			.with("outbox.named.south.relay.mode", "off");
	}

	private Builder application(Class<?> configuration) {
		Builder application = OutboxApplication.on(this.north)
			.with(configuration)
			.with("outbox.enabled", false)
			.with("test.north", this.north.jdbcUrl())
			.with("test.south", this.south.jdbcUrl());
		for (String shard : List.of("north", "south")) {
			application.with("outbox.named.%s.data-source".formatted(shard), shard + "DataSource")
				.with("outbox.named.%s.routing-data-source".formatted(shard), "shards")
				.with("outbox.named.%s.ordered".formatted(shard), true)
				.with("outbox.named.%s.jdbc.initialize-schema".formatted(shard), "always")
				.with("outbox.named.%s.rabbit.exchange".formatted(shard), this.queue.exchange());
		}
		return application;
	}

	private static void publish(OutboxApplication application, String shard, Object... events) {
		SHARD.set(shard);
		application.publish(events);
	}

	private static List<String> keys(OutboxApplication application, String shard) {
		return JdbcClient.create(application.context().getBean(shard + "DataSource", DataSource.class))
			.sql("SELECT partition_key FROM outbox_message ORDER BY id")
			.query(String.class)
			.list();
	}

	@Configuration(proxyBeanMethods = false)
	static class Shards {

		@Bean(defaultCandidate = false)
		HikariDataSource northDataSource(Environment environment) {
			return Pools.of(environment, "test.north");
		}

		@Bean(defaultCandidate = false)
		HikariDataSource southDataSource(Environment environment) {
			return Pools.of(environment, "test.south");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Routing extends Shards {

		@Bean
		DataSource shards(@Qualifier("northDataSource") DataSource north,
				@Qualifier("southDataSource") DataSource south) {
			return new ByThread(Map.of("north", north, "south", south));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class RoutingBehindLazyConnections extends Shards {

		@Bean
		DataSource shards(@Qualifier("northDataSource") DataSource north,
				@Qualifier("southDataSource") DataSource south) {
			return new LazyConnectionDataSourceProxy(new ByThread(Map.of("north", north, "south", south)));
		}

	}

	static final class ByThread extends AbstractRoutingDataSource {

		ByThread(Map<Object, Object> targets) {
			setTargetDataSources(targets);
			afterPropertiesSet();
		}

		@Override
		protected @Nullable Object determineCurrentLookupKey() {
			return SHARD.get();
		}

	}

}
