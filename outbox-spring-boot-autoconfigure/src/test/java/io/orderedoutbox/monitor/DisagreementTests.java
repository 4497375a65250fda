/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.jdbc.JdbcInstances;
import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.jdbc.OutboxInstance;
import io.orderedoutbox.relay.OutboxRelay;
import io.orderedoutbox.relay.RelayStatus.Outage;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.servers.TcpProxy;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.RewritingDataSource;
import io.orderedoutbox.testing.TestQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * An instance that keeps another order, or counts other partitions, than the outbox and
 * its other instances do, publishes nothing and relays nothing, whenever that is seen.
 */
@ExtendWith(OutputCaptureExtension.class)
class DisagreementTests {

	private static final Duration SILENCE = Duration.ofSeconds(30);

	private final Database database = Servers.database().fresh();

	private final DriverManagerDataSource dataSource = new DriverManagerDataSource(this.database.jdbcUrl(),
			this.database.username(), this.database.password());

	private final JdbcClient jdbc = JdbcClient.create(this.dataSource);

	@BeforeEach
	void createTables() {
		application().withoutRelay().start().close();
	}

	@Test
	void ofTwoThatStartTogetherAtLeastOneIsRefused() {
		JdbcInstances other = instance(false);
		AtomicBoolean started = new AtomicBoolean();
		// After this one has looked, and before it says that it is there
		RewritingDataSource interrupted = new RewritingDataSource(this.dataSource, (sql) -> {
			if (sql.startsWith("INSERT INTO outbox_instance") && started.compareAndSet(false, true)) {
				other.write();
			}
			return sql;
		});
		JdbcInstances self = new JdbcInstances(new OutboxDatabase(interrupted, "outbox_"),
				() -> new OutboxInstance("here", 1, true, Duration.ofSeconds(1)), SILENCE);
		InstanceHeartbeat heartbeat = new InstanceHeartbeat(self, Duration.ofSeconds(10), () -> true);
		assertThatExceptionOfType(OutboxConfigurationException.class).isThrownBy(heartbeat::start)
			.withMessageContaining("outbox.ordered=false");
		assertThat(started).isTrue();
		assertThat(other.running()).as("the one that was refused").isEmpty();
	}

	@Test
	void anInstanceThatIsRefusedAtOnceIsSeenByNobody() {
		JdbcInstances other = instance(false);
		other.write();
		RewritingDataSource watched = new RewritingDataSource(this.dataSource, (sql) -> {
			assertThat(sql).doesNotStartWith("INSERT INTO outbox_instance");
			return sql;
		});
		JdbcInstances self = new JdbcInstances(new OutboxDatabase(watched, "outbox_"),
				() -> new OutboxInstance("here", 1, true, Duration.ofSeconds(1)), SILENCE);
		assertThatExceptionOfType(OutboxConfigurationException.class)
			.isThrownBy(() -> new InstanceHeartbeat(self, Duration.ofSeconds(10), () -> true).start());
	}

	@Test
	void ofTwoThatRunTheOneThatCameLaterStops(CapturedOutput output) {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = application().sendingTo(queue).start()) {
			awaitInstances(1);
			JdbcInstances later = instance(false);
			later.write();
			Awaitility.await().untilAsserted(() -> assertThat(output).contains("differ in outbox.ordered"));
			assertThatNoException().isThrownBy(() -> application.publish(new OrderPlaced("a", 1)));
			queue.await(1);
			later.remove();
			JdbcInstances earlier = instance(false);
			earlier.write();
			this.jdbc.sql("UPDATE outbox_instance SET started_at = started_at - INTERVAL '1' DAY WHERE NOT ordered")
				.update();
			Awaitility.await().untilAsserted(() -> assertThat(output).contains("publishes nothing and relays nothing"));
			assertRefused(application, "outbox.ordered=false");
			assertOutOfService(application, "outbox.ordered=false");
			// What others write is not relayed either
			write(queue.exchange());
			assertNothingIsRelayed(application);
			earlier.remove();
			Awaitility.await().until(() -> application.depth() == 0);
			Awaitility.await().ignoreExceptions().until(() -> publishes(application));
			assertThat(application.bean(OutboxHealthIndicator.class).health(true).getDetails())
				.doesNotContainKey("refusal");
		}
	}

	@Test
	void oneThatWasTakenForEndedAndComesBackIsTheOneThatStops(CapturedOutput output) {
		JdbcInstances frozen = instance(false);
		frozen.write();
		this.jdbc.sql(
				"UPDATE outbox_instance SET started_at = started_at - INTERVAL '1' DAY, heartbeat_at = heartbeat_at - INTERVAL '5' MINUTE")
			.update();
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = application().sendingTo(queue).start()) {
			awaitInstances(2);
			frozen.write();
			assertThat(frozen.findDifferences().disagreement()).isPresent();
			Awaitility.await().untilAsserted(() -> assertThat(output).contains("differ in outbox.ordered"));
			assertThatNoException().isThrownBy(() -> application.publish(new OrderPlaced("a", 1)));
			queue.await(1);
			assertThat(output).doesNotContain("publishes nothing and relays nothing");
			frozen.remove();
		}
	}

	@Test
	void anotherNumberOfPartitionsUnderAnInstanceThatRunsStopsIt(CapturedOutput output) {
		try (OutboxApplication application = application().withoutRelay().start()) {
			removePartitions();
			Awaitility.await().untilAsserted(() -> assertThat(output).contains("publishes nothing and relays nothing"));
			assertRefused(application, "has 32 rows, but outbox.partitions is 64");
			putPartitionsBack();
			Awaitility.await().ignoreExceptions().until(() -> publishes(application));
		}
	}

	@Test
	void anotherNumberOfPartitionsUnderARelayThatRunsStopsIt(CapturedOutput output) {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = application().sendingTo(queue).start()) {
			write(queue.exchange());
			queue.await(1);
			application.awaitEmpty();
			removePartitions();
			Awaitility.await().untilAsserted(() -> assertThat(output).contains("publishes nothing and relays nothing"));
			awaitRelayIsRefused(application, "has 32 rows, but outbox.partitions is 64");
			write(queue.exchange());
			assertNothingIsRelayed(application);
			putPartitionsBack();
			application.awaitEmpty();
			queue.await(2);
		}
	}

	// It could not look at the start
	@Test
	void anInstanceWithAnotherNumberThatHasStartedWithoutItsDatabaseIsRefusedByTheFirstTransaction(
			CapturedOutput output) {
		try (TcpProxy proxy = TcpProxy.to(this.database)) {
			proxy.stop();
			try (OutboxApplication application = withoutItsDatabase(proxy).withoutRelay()
				.with("outbox.partitions", 32)
				.start()) {
				assertThat(output).contains("could not be checked");
				proxy.start();
				assertRefused(application, "has 64 rows, but outbox.partitions is 32");
				assertOutOfService(application, "has 64 rows, but outbox.partitions is 32");
				assertThat(this.jdbc.sql("SELECT COUNT(*) FROM outbox_message").query(Integer.class).single()).isZero();
				proxy.stop();
				assertOutOfService(application, "has 64 rows, but outbox.partitions is 32");
				proxy.start();
				removePartitions();
				// Nobody publishes here, since a load balancer has taken it out
				OutboxHealthIndicator indicator = application.bean(OutboxHealthIndicator.class);
				Awaitility.await()
					.untilAsserted(() -> assertThat(indicator.health(true))
						.satisfies((health) -> assertThat(health.getDetails()).doesNotContainKey("refusal"))
						.satisfies((health) -> assertThat(health.getStatus()).isEqualTo(Status.UP)));
			}
		}
	}

	@Test
	void anInstanceWithAnotherNumberThatHasStartedWithoutItsDatabaseIsRefusedByItsFirstClaim(CapturedOutput output) {
		try (TcpProxy proxy = TcpProxy.to(this.database); TestQueue queue = TestQueue.forEverything()) {
			write(queue.exchange());
			proxy.stop();
			try (OutboxApplication application = withoutItsDatabase(proxy).sendingTo(queue)
				.with("outbox.partitions", 32)
				.start()) {
				assertThat(output).contains("could not be checked");
				proxy.start();
				awaitRelayIsRefused(application, "has 64 rows, but outbox.partitions is 32");
				assertOutOfService(application, "has 64 rows, but outbox.partitions is 32");
				assertThat(output).contains("has 64 rows, but outbox.partitions is 32");
				assertNothingIsRelayed(application);
				assertThat(queue.arrivals()).isEmpty();
				removePartitions();
				application.awaitEmpty();
				queue.await(1);
				assertThat(application.bean(OutboxHealthIndicator.class).health(true).getDetails())
					.doesNotContainKey("refusal");
			}
		}
	}

	// Relays own partitions for as long as they send
	@Test
	void theFirstTransactionAfterSuchAStartWaitsForNoRelayAtAnyIsolation() throws SQLException {
		try (TcpProxy proxy = TcpProxy.to(this.database); Connection relay = this.dataSource.getConnection()) {
			proxy.stop();
			try (OutboxApplication application = withoutItsDatabase(proxy).withoutRelay()
				.with("spring.datasource.hikari.connection-timeout", "2000")
				.with("spring.datasource.hikari.transaction-isolation", "TRANSACTION_SERIALIZABLE")
				.start()) {
				relay.setAutoCommit(false);
				relay.createStatement().execute("SELECT id FROM outbox_partition FOR UPDATE");
				proxy.start();
				assertThat(CompletableFuture.runAsync(() -> application.publish(new OrderPlaced("a", 1))))
					.succeedsWithin(Duration.ofSeconds(10));
				relay.rollback();
			}
		}
	}

	private static boolean publishes(OutboxApplication application) {
		application.publish(new OrderPlaced("a", 2));
		return true;
	}

	private static void assertRefused(OutboxApplication application, String text) {
		assertThatExceptionOfType(OutboxConfigurationException.class)
			.isThrownBy(() -> application.publish(new OrderPlaced("b", 1)))
			.withMessageContaining(text);
	}

	private static void assertOutOfService(OutboxApplication application, String refusal) {
		Health health = application.bean(OutboxHealthIndicator.class).health(true);
		assertThat(health.getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
		assertThat(health.getDetails().get("refusal").toString()).contains(refusal);
	}

	private static void awaitRelayIsRefused(OutboxApplication application, String text) {
		OutboxRelay relay = application.bean(OutboxRelay.class);
		Awaitility.await().untilAsserted(() -> {
			Outage outage = relay.status().outage();
			assertThat(outage).isNotNull();
			assertThat(outage.reason()).contains(text);
		});
	}

	private static void assertNothingIsRelayed(OutboxApplication application) {
		Awaitility.await().during(Duration.ofSeconds(2)).until(() -> application.count("partition_key = 'other'") == 1);
	}

	private void removePartitions() {
		this.jdbc.sql("DELETE FROM outbox_stripe WHERE id > 31").update();
		this.jdbc.sql("DELETE FROM outbox_partition WHERE id > 31").update();
	}

	private void putPartitionsBack() {
		for (String table : new String[] { "outbox_partition", "outbox_stripe" }) {
			this.jdbc
				.sql("""
						INSERT INTO %s (id) WITH RECURSIVE n (i) AS (SELECT 32 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < 64)
						SELECT i FROM n"""
					.formatted(table))
				.update();
		}
	}

	private void write(String exchange) {
		this.jdbc
			.sql("""
					INSERT INTO outbox_message (lane, message_id, name, partition_key, exchange, routing_key, content_type, payload,
					created_at, available_at) VALUES (0, UUID(), 'n', 'other', ?, 'q', 'text/plain', 'x', UTC_TIMESTAMP(6),
					UTC_TIMESTAMP(6))""")
			.param(exchange)
			.update();
	}

	private JdbcInstances instance(boolean ordered) {
		OutboxInstance instance = new OutboxInstance("elsewhere", 7, ordered, Duration.ZERO);
		return new JdbcInstances(new OutboxDatabase(this.dataSource, "outbox_"), () -> instance, SILENCE);
	}

	private void awaitInstances(int count) {
		Awaitility.await()
			.until(() -> this.jdbc.sql("SELECT COUNT(*) FROM outbox_instance").query(Integer.class).single() == count);
	}

	private OutboxApplication.Builder application() {
		return OutboxApplication.on(this.database).with("outbox.monitor.heartbeat-interval", "1s");
	}

	// No heartbeat looks for it
	private OutboxApplication.Builder withoutItsDatabase(TcpProxy proxy) {
		return application().databaseThrough(proxy)
			.with("spring.datasource.hikari.connection-timeout", "1000")
			.with("outbox.jdbc.initialize-schema", "never")
			.with("outbox.monitor.heartbeat-interval", "0s");
	}

}
