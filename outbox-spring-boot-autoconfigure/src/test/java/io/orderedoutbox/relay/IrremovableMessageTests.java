package io.orderedoutbox.relay;

import java.util.stream.IntStream;

import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.OutboxApplication.Builder;
import io.orderedoutbox.testing.TestQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Messages that the database refuses to delete, because a row of another table refers to
 * them.
 */
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
