/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OrderLost;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.OutboxApplication.Builder;
import io.orderedoutbox.testing.TestQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Messages that the database does not let the relay complete: because a row of another
 * table refers to them, because of a trigger, because a table is not as it should be, or
 * because another session has locked them.
 */
@ExtendWith(OutputCaptureExtension.class)
@Timeout(60)
@Tag("order")
class IrremovableMessageTests {

	@Test
	void itIsShownAndBlockedInTheEndWhileAllOthersGoOn() {
		try (TestQueue queue = TestQueue.forEverything(); OutboxApplication application = application(queue).start()) {
			OutboxRelay relay = application.bean(OutboxRelay.class);
			relay.stop();
			for (int version = 1; version <= 3; version++) {
				int next = version;
				application.publish(
						IntStream.range(0, 100).mapToObj((key) -> new OrderPlaced("order-" + key, next)).toArray());
			}
			pin(application, "order-50");
			relay.start();
			application.awaitDepth(1);
			Awaitility.await().until(() -> application.count("attempts = 3") == 1);
			assertThat(
					application.count("partition_key = 'order-50' AND last_error LIKE 'published, but it could not be "
							+ "removed from the outbox: %foreign key%' AND lane IN (SELECT lane FROM outbox_parked "
							+ "WHERE available_at >= '9999-12-31')"))
				.isOne();
			assertThat(queue.versionsOf("order-50")).containsExactly(1, 2, 3);
			assertThat(queue.arrivals()).as("the culprit three times").hasSize(302);
			assertThat(relay.outage()).isNull();
			application.publish(new OrderPlaced("order-50", 4), new OrderPlaced("order-51", 4));
			queue.await(303);
			application.awaitDepth(2);
			assertThat(queue.versionsOf("order-51")).containsExactly(1, 2, 3, 4);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'is kept'",
			"INSERT INTO audit (other) VALUES (1)", "INSERT INTO missing VALUES (1)" })
	void aTriggerThatRefusesOneKeyBlocksThatKeyOnly(String refusal) {
		try (TestQueue queue = TestQueue.forEverything(); OutboxApplication application = application(queue).start()) {
			OutboxRelay relay = application.bean(OutboxRelay.class);
			relay.stop();
			publish(application, 21);
			application.jdbc().sql("CREATE TABLE audit (id INT NOT NULL, other INT)").update();
			trigger(application, "BEFORE DELETE ON outbox_message",
					"IF OLD.partition_key = 'order-7' THEN %s; END IF".formatted(refusal));
			relay.start();
			application.awaitDepth(1);
			Awaitility.await().until(() -> application.count("attempts = 3") == 1);
			assertThat(application.count("last_error LIKE 'published, but it could not be removed from the outbox: %'"))
				.isOne();
			queue.await(23);
			assertThat(queue.arrivals()).as("the culprit three times").hasSize(23);
			assertThat(relay.outage()).isNull();
		}
	}

	@Test
	void aKeyThatATriggerRefusesIsShownAlsoWhereThereIsNoOther() {
		try (TestQueue queue = TestQueue.forEverything(); OutboxApplication application = application(queue).start()) {
			trigger(application, "BEFORE DELETE ON outbox_message",
					"SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'kept'");
			application.publish(new OrderPlaced("a", 1));
			Awaitility.await().until(() -> application.count("attempts = 3 AND last_error LIKE '%kept%'") == 1);
			assertThat(queue.arrivals()).hasSize(3);
		}
	}

	@Test
	void whatCannotBeRemovedAtAllIsSentOnceAtMostUntilItCanBe(CapturedOutput output) {
		try (TestQueue queue = TestQueue.forEverything(); OutboxApplication application = application(queue).start()) {
			OutboxRelay relay = application.bean(OutboxRelay.class);
			relay.stop();
			publish(application, 50);
			application.jdbc().sql("UPDATE outbox_message SET attempts = 1, last_error = 'returned' LIMIT 5").update();
			trigger(application, "BEFORE DELETE ON outbox_message", "INSERT INTO missing VALUES (1)");
			relay.start();
			queue.await(1);
			Awaitility.await().until(() -> relay.outage() != null && relay.outage().contains("missing"));
			// A batch that ends in time before all was sent is followed by one that
			// rehearses
			Awaitility.await()
				.during(Duration.ofSeconds(4))
				.until(() -> queue.arrivals().size() == queue.firstArrivals().size());
			assertThat(relay.outage()).contains("does not let the relay complete", "missing", "Grant the right");
			assertThat(output).contains("missing' doesn't exist");
			assertThat(application.count("attempts = 1")).as("those that had failed at the broker before").isEqualTo(5);
			assertThat(application.count("attempts > 1")).isZero();
			assertThat(application.depth()).isEqualTo(50);
			application.jdbc().sql("CREATE TABLE missing (id INT)").update();
			application.awaitEmpty();
			Awaitility.await().until(() -> queue.firstArrivals().size() == 50);
			Awaitility.await().until(() -> relay.outage() == null);
			application.publish(new OrderPlaced("order-1", 2));
			Awaitility.await().until(() -> queue.firstArrivals().size() == 51);
			assertThat(queue.arrivals()).hasSizeLessThanOrEqualTo(101);
			application.awaitEmpty();
		}
	}

	@Test
	void aMessageOfWhichNothingCanBeStoredIsNotSentAgainAndTheOthersGoOn() {
		try (TestQueue queue = TestQueue.forEverything(); OutboxApplication application = application(queue).start()) {
			OutboxRelay relay = application.bean(OutboxRelay.class);
			relay.stop();
			publish(application, 21);
			String refusal = "IF OLD.partition_key = 'order-7' THEN SIGNAL SQLSTATE '45000'; END IF";
			trigger(application, "BEFORE DELETE ON outbox_message", refusal);
			trigger(application, "BEFORE UPDATE ON outbox_message", refusal);
			relay.start();
			application.awaitDepth(1);
			Awaitility.await().until(() -> relay.outage() != null);
			Awaitility.await().during(Duration.ofSeconds(3)).until(() -> queue.arrivals().size() == 21);
			publish(application, 21, 2);
			application.awaitDepth(2);
			assertThat(queue.arrivals()).hasSize(41);
			assertThat(queue.versionsOf("order-7")).containsExactly(1);
		}
	}

	@Test
	void whatCannotBecomeADeadLetterIsBlockedAndTheOthersGoOn() {
		try (TestQueue queue = TestQueue.bound("order.placed");
				OutboxApplication application = application(queue).with("outbox.retry.max-attempts", 1)
					.with("outbox.retry.on-exhausted", "dead-letter")
					.start()) {
			OutboxRelay relay = application.bean(OutboxRelay.class);
			relay.stop();
			application.publish(IntStream.range(0, 30).mapToObj((key) -> new OrderLost("lost-" + key, 1)).toArray());
			publish(application, 30);
			application.jdbc().sql("DROP TABLE outbox_dead_letter").update();
			relay.start();
			application.awaitDepth(30);
			Awaitility.await()
				.until(() -> application.count("attempts = 1 AND last_error LIKE '%outbox_dead_letter%' AND lane IN "
						+ "(SELECT lane FROM outbox_parked WHERE available_at >= '9999-12-31')") == 30);
			assertThat(queue.arrivals()).hasSize(30);
		}
	}

	@Test
	void whereNoKeyCanBeParkedWhatWasPublishedIsNotSentAgain() {
		try (TestQueue queue = TestQueue.bound("order.placed");
				OutboxApplication application = application(queue).start()) {
			OutboxRelay relay = application.bean(OutboxRelay.class);
			relay.stop();
			publish(application, 20);
			application.publish(new OrderLost("lost", 1), new OrderPlaced("lost", 2));
			trigger(application, "BEFORE INSERT ON outbox_parked", "SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'full'");
			relay.start();
			application.awaitDepth(2);
			Awaitility.await().until(() -> relay.outage() != null && relay.outage().contains("full"));
			publish(application, 20, 2);
			queue.await(40);
			application.awaitDepth(2);
			assertThat(application.count("attempts > 0")).isZero();
			assertThat(queue.arrivals()).hasSize(40);
			application.jdbc().sql("DROP TRIGGER refuse_0").update();
			Awaitility.await().until(() -> application.count("attempts = 3") == 1);
		}
	}

	@Test
	void aMessageThatAnotherSessionHasLockedIsNotSentAgainAndTheOthersGoOn(CapturedOutput output) throws SQLException {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = application(queue).start();
				Connection other = application.bean(DataSource.class).getConnection();
				Statement statement = other.createStatement()) {
			OutboxRelay relay = application.bean(OutboxRelay.class);
			relay.stop();
			publish(application, 100);
			lock(application, statement);
			relay.start();
			queue.await(100);
			application.awaitDepth(1);
			Awaitility.await().until(() -> output.toString().contains("The relay cannot work"));
			Awaitility.await().during(Duration.ofSeconds(4)).until(() -> queue.arrivals().size() == 100);
			publish(application, 100, 2);
			application.awaitDepth(2);
			queue.await(199);
			assertThat(queue.arrivals()).hasSize(199);
			assertThat(application.count("attempts > 0")).isZero();
			other.rollback();
			application.awaitEmpty();
			queue.await(201);
			assertThat(queue.arrivals()).hasSize(201);
			assertThat(queue.versionsOf("order-7")).containsExactly(1, 2);
			Awaitility.await().until(() -> relay.outage() == null);
		}
	}

	@Test
	void aLockedMessageDelaysNoOtherInAQuietSystem(CapturedOutput output) throws SQLException {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = application(queue).with("outbox.relay.workers", 2).start();
				Connection other = application.bean(DataSource.class).getConnection();
				Statement statement = other.createStatement()) {
			OutboxRelay relay = application.bean(OutboxRelay.class);
			relay.stop();
			application.publish(new OrderPlaced("order-7", 1));
			lock(application, statement);
			relay.start();
			queue.await(1);
			Awaitility.await().until(() -> output.toString().contains("The relay cannot work"));
			Awaitility.await().until(() -> relay.outage() == null);
			List<Long> millis = new ArrayList<>();
			for (int number = 0; number < 20; number++) {
				long publishedAt = System.nanoTime();
				application.publish(new OrderPlaced("other-" + number, 1));
				queue.await(2 + number);
				application.awaitDepth(1);
				millis.add(Duration.ofNanos(System.nanoTime() - publishedAt).toMillis());
			}
			assertThat(millis.stream().sorted().toList().get(15)).as("of %s", millis).isLessThan(200);
			assertThat(relay.outage()).isNull();
			assertThat(queue.versionsOf("order-7")).containsExactly(1);
			other.rollback();
			application.awaitEmpty();
			assertThat(queue.versionsOf("order-7")).containsExactly(1);
		}
	}

	@Test
	void aLockedMessageOfAParkedKeyMakesNoBatchWait(CapturedOutput output) throws SQLException {
		try (TestQueue queue = TestQueue.bound("order.placed");
				OutboxApplication application = application(queue).with("outbox.retry.max-attempts", 0).start();
				Connection other = application.bean(DataSource.class).getConnection();
				Statement statement = other.createStatement()) {
			application.publish(new OrderLost("order-7", 1));
			Awaitility.await().until(() -> application.count("lane < 0 AND attempts > 0") == 1);
			lock(application, statement);
			Awaitility.await().until(() -> output.toString().contains("The relay cannot work"));
			long beganAt = System.nanoTime();
			for (int version = 1; version <= 10; version++) {
				publish(application, 100, version);
				queue.await(99 * version);
				application.awaitDepth(1 + version);
			}
			assertThat(Duration.ofNanos(System.nanoTime() - beganAt)).isLessThan(Duration.ofSeconds(15));
			assertThat(queue.arrivals()).hasSize(990);
			assertThat(queue.versionsOf("order-7")).isEmpty();
		}
	}

	// The only message of its key, until the other session ends its transaction
	private static void lock(OutboxApplication application, Statement statement) throws SQLException {
		Connection other = statement.getConnection();
		other.setAutoCommit(false);
		long lane = application.jdbc()
			.sql("SELECT lane FROM outbox_message WHERE partition_key = 'order-7'")
			.query(Long.class)
			.single();
		long id = application.jdbc()
			.sql("SELECT id FROM outbox_message WHERE partition_key = 'order-7'")
			.query(Long.class)
			.single();
		statement.execute("SELECT * FROM outbox_message WHERE lane = %d AND id = %d FOR UPDATE".formatted(lane, id));
	}

	private static void publish(OutboxApplication application, int keys) {
		publish(application, keys, 1);
	}

	private static void publish(OutboxApplication application, int keys, int version) {
		application
			.publish(IntStream.range(0, keys).mapToObj((key) -> new OrderPlaced("order-" + key, version)).toArray());
	}

	private static void trigger(OutboxApplication application, String event, String body) {
		int number = application.jdbc()
			.sql("SELECT COUNT(*) FROM information_schema.triggers WHERE trigger_schema = DATABASE()")
			.query(Integer.class)
			.single();
		application.jdbc().sql("CREATE TRIGGER refuse_%d %s FOR EACH ROW %s".formatted(number, event, body)).update();
	}

	// The first message of a key, with a row of another table
	private static void pin(OutboxApplication application, String key) {
		application.jdbc().sql("""
				CREATE TABLE pin (lane BIGINT NOT NULL, id BIGINT NOT NULL, FOREIGN KEY (lane, id)
				REFERENCES outbox_message (lane, id) ON UPDATE CASCADE)""").update();
		application.jdbc()
			.sql("INSERT INTO pin SELECT lane, id FROM outbox_message WHERE partition_key = ? ORDER BY id LIMIT 1")
			.param(key)
			.update();
	}

	private static Builder application(TestQueue queue) {
		return OutboxApplication.on(Servers.database().fresh())
			.sendingTo(queue)
			.with("outbox.relay.poll-interval", "50ms")
			.with("outbox.retry.initial-interval", "50ms")
			.with("outbox.retry.max-interval", "50ms")
			.with("outbox.retry.max-attempts", 3);
	}

}
