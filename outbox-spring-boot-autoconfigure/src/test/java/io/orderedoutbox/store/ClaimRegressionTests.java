package io.orderedoutbox.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Bugs that claiming once had.
 */
@Timeout(60)
class ClaimRegressionTests {

	private OutboxApplication application;

	private JdbcTemplate jdbc;

	@BeforeEach
	void start() {
		this.application = OutboxApplication.on(Servers.database().fresh()).withoutRelay().start();
		this.jdbc = this.application.bean(JdbcTemplate.class);
	}

	@AfterEach
	void close() {
		this.application.close();
	}

	private Claims claims(int batchSize) {
		return claims(this.application.bean(OutboxDatabase.class), batchSize);
	}

	private static Claims claims(OutboxDatabase database, int batchSize) {
		ClaimSettings settings = new ClaimSettings(true, batchSize, DataSize.ofMegabytes(1), Duration.ofSeconds(10));
		return new JdbcRelayStore(database, settings).claims();
	}

	private void stall(String condition) {
		this.jdbc
			.update("UPDATE outbox_message SET available_at = UTC_TIMESTAMP(6) + INTERVAL 1 HOUR WHERE " + condition);
	}

	// Two cursors of unequal length never met at the start at the same moment, and the
	// search went on for ever
	@Test
	void aSearchAmongStalledKeysAndDelayedRowsWithoutKeyEnds() {
		for (int number = 1; number <= 7; number++) {
			this.application.publish(new OrderPlaced("order-" + number, 1));
		}
		for (int number = 1; number <= 5; number++) {
			this.application.inTransaction(
					(outbox) -> outbox.publish(new OrderPlaced("x", 1), io.orderedoutbox.PartitionKeyStamp.none()));
		}
		Claims claims = claims(4);
		stall("partition_key <> 'order-3'");
		assertThat(claimed(claims)).containsExactly("order-3");
		stall("TRUE");
		for (int round = 0; round < 10; round++) {
			assertThat(claims.next()).isNull();
		}
	}

	// It began where the last one had ended, and ended at the end
	@Test
	void aSearchThatBeginsInTheMiddleComesRound() {
		publish("a", 40);
		List.of("b", "c", "d", "e", "f").forEach((key) -> publish(key, 1));
		stall("partition_key = 'a'");
		Claims claims = claims(4);
		assertThat(claimed(claims)).containsExactly("b", "c", "d");
		stall("partition_key <> 'b'");
		assertThat(claimed(claims)).containsExactly("b");
	}

	// Nothing was full, so nothing seemed to be hidden
	@Test
	void whatIsDueBelowTheMarkIsFoundAlsoWhenAllAboveIsInOtherHands() throws SQLException {
		publish("a", 40);
		List.of("b", "c").forEach((key) -> publish(key, 1));
		stall("partition_key = 'a'");
		Claims claims = claims(4);
		assertThat(claimed(claims)).containsExactly("b", "c");
		this.jdbc.update("UPDATE outbox_message SET available_at = UTC_TIMESTAMP(6) WHERE partition_key = 'a'");
		try (Connection other = this.application.bean(DataSource.class).getConnection();
				Statement statement = other.createStatement()) {
			other.setAutoCommit(false);
			statement.executeQuery("SELECT id FROM outbox_message WHERE partition_key > 'a' FOR UPDATE").close();
			assertThat(claimed(claims)).containsExactly("a");
			other.rollback();
		}
	}

	// It was passed over, because the window showed a later row of its key
	@Test
	void aHeadBelowTheMarkIsFoundAlsoWhereItsKeyIsSeenAbove() throws SQLException {
		publish("a", 40);
		publish("k", 1);
		stall("TRUE");
		List.of("b", "c", "d", "k").forEach((key) -> publish(key, 1));
		Claims claims = claims(4);
		assertThat(claimed(claims)).containsExactly("b", "c", "d");
		this.jdbc.update("UPDATE outbox_message SET available_at = UTC_TIMESTAMP(6) WHERE partition_key = 'k'");
		try (Connection other = this.application.bean(DataSource.class).getConnection();
				Statement statement = other.createStatement()) {
			other.setAutoCommit(false);
			statement.executeQuery("SELECT id FROM outbox_message WHERE partition_key IN ('b', 'c', 'd') FOR UPDATE")
				.close();
			assertThat(claimed(claims)).containsExactly("k");
			other.rollback();
		}
	}

	private void publish(String key, int times) {
		Object[] events = IntStream.rangeClosed(1, times).mapToObj((number) -> new OrderPlaced(key, number)).toArray();
		this.application.publish(events);
	}

	@ParameterizedTest
	@ValueSource(strings = { "headers = '{\"a\":null}'", "headers = 'null'", "headers = '[1]'", "headers = '{'",
			"message_id = 'none'" })
	void aDamagedRowHoldsOnlyItsOwnKey(String damage) {
		this.application.publish(new OrderPlaced("damaged", 1), new OrderPlaced("healthy", 1));
		this.jdbc.update("UPDATE outbox_message SET " + damage + " WHERE partition_key = 'damaged'");
		try (Claim claim = claims(10).next()) {
			assertThat(claim).isNotNull();
			assertThat(claim.runs()).extracting((run) -> run.messages().get(0).defect() == null)
				.containsExactly(false, true);
		}
	}

	@Test
	void aDestinationThatFitsTheColumnButNotTheProtocolHoldsOnlyItsOwnKey() {
		this.application.publish(new OrderPlaced("damaged", 1), new OrderPlaced("healthy", 1));
		this.jdbc.update("UPDATE outbox_message SET exchange = REPEAT('ä', 200) WHERE partition_key = 'damaged'");
		try (Claim claim = claims(10).next()) {
			assertThat(claim).isNotNull();
			assertThat(claim.runs()).hasSize(2);
		}
	}

	// Without auto-commit a plain read at SERIALIZABLE locks: the second worker waited
	// for the first instead of passing
	@Test
	void aPoolWithoutAutoCommitAtSerializableDoesNotMakeWorkersWaitForOneAnother() {
		this.application.publish(new OrderPlaced("a", 1), new OrderPlaced("b", 1));
		HikariDataSource ordinary = this.application.bean(HikariDataSource.class);
		try (HikariDataSource pool = new HikariDataSource()) {
			pool.setJdbcUrl(ordinary.getJdbcUrl());
			pool.setUsername(ordinary.getUsername());
			pool.setPassword(ordinary.getPassword());
			pool.setAutoCommit(false);
			pool.setTransactionIsolation("TRANSACTION_SERIALIZABLE");
			pool.setConnectionInitSql("SET SESSION innodb_lock_wait_timeout = 1");
			OutboxDatabase database = new OutboxDatabase(pool, "outbox_");
			try (Claim first = claims(10).next()) {
				assertThat(first).isNotNull();
				assertThat(claims(database, 10).next()).isNull();
			}
			assertThat(claimed(claims(database, 10))).containsExactly("a", "b");
		}
	}

	private static List<String> claimed(Claims claims) {
		try (Claim claim = claims.next()) {
			assertThat(claim).isNotNull();
			return claim.runs().stream().map((run) -> run.messages().get(0).message().partitionKey()).toList();
		}
	}

}
