package io.orderedoutbox.relay;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.OutboxApplication.Builder;
import io.orderedoutbox.testing.TestQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.datasource.DelegatingDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * One key with all of the backlog, of which a relay reads the next messages while it
 * deletes the last ones.
 */
@Tag("order")
@ExtendWith(OutputCaptureExtension.class)
class ReadAheadRelayTests {

	private static final int MESSAGES = 300;

	private static final String OUTAGE = "The relay cannot work";

	private final Database database = Servers.database().fresh();

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void theKeyArrivesOnceAndInOrder(boolean pipelined) {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = instance(queue).with("outbox.relay.pipelined-keys", pipelined)
					.with(WhoConnects.class)
					.start()) {
			drain(queue, application);
			assertThat(application.bean(WhoConnects.class).threads).contains("outbox-relay-1-ahead");
		}
	}

	@Test
	void besideOtherInstancesToo() {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = instance(queue).start();
				OutboxApplication other = instance(queue).start();
				OutboxApplication third = instance(queue).start()) {
			drain(queue, application, other, third);
		}
	}

	@Test
	void aPoolOfOneConnectionIsEnough(CapturedOutput output) {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = instance(queue).with("spring.datasource.hikari.maximum-pool-size", 1)
					.with("spring.datasource.hikari.connection-timeout", 60_000)
					.start()) {
			drain(queue, application);
		}
		assertThat(output).doesNotContain(OUTAGE);
	}

	@Test
	void thatThereIsNoConnectionToReadAheadIsNoOutage(CapturedOutput output) throws SQLException {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = instance(queue).with("spring.datasource.hikari.maximum-pool-size", 1)
					.with("spring.datasource.hikari.connection-timeout", 250)
					.with("logging.level.io.orderedoutbox.relay.Preparation", "debug")
					.start();
				Connection stranger = DriverManager.getConnection(this.database.jdbcUrl(), this.database.username(),
						this.database.password())) {
			application.bean(OutboxRelay.class).stop();
			publish(application);
			stranger.setAutoCommit(false);
			stranger.createStatement().execute("SELECT id FROM outbox_message WHERE id = 5 FOR UPDATE");
			application.bean(OutboxRelay.class).start();
			Awaitility.await().untilAsserted(() -> assertThat(output).contains("Nothing could be read ahead"));
			stranger.rollback();
			assertArrived(queue, application);
		}
		assertThat(output).doesNotContain(OUTAGE);
	}

	private Builder instance(TestQueue queue) {
		return OutboxApplication.on(this.database)
			.sendingTo(queue)
			.with("outbox.relay.workers", 1)
			.with("outbox.relay.batch-size", 10)
			.with("outbox.relay.pipelined-keys", true);
	}

	private static void drain(TestQueue queue, OutboxApplication... applications) {
		for (OutboxApplication application : applications) {
			application.bean(OutboxRelay.class).stop();
		}
		publish(applications[0]);
		for (OutboxApplication application : applications) {
			application.bean(OutboxRelay.class).start();
		}
		assertArrived(queue, applications[0]);
	}

	private static void publish(OutboxApplication application) {
		application.publish(IntStream.rangeClosed(1, MESSAGES).mapToObj((i) -> new OrderPlaced("a", i)).toArray());
	}

	private static void assertArrived(TestQueue queue, OutboxApplication application) {
		application.awaitEmpty();
		queue.await(MESSAGES);
		assertThat(queue.arrivals()).hasSize(MESSAGES);
		assertThat(queue.versionsOf("a"))
			.containsExactlyElementsOf(IntStream.rangeClosed(1, MESSAGES).boxed().toList());
	}

	/**
	 * The threads that have asked for a connection.
	 */
	static final class WhoConnects implements BeanPostProcessor {

		private final List<String> threads = new CopyOnWriteArrayList<>();

		@Override
		public Object postProcessAfterInitialization(Object bean, String beanName) {
			return (bean instanceof DataSource dataSource) ? new DelegatingDataSource(dataSource) {

				@Override
				public Connection getConnection() throws SQLException {
					WhoConnects.this.threads.add(Thread.currentThread().getName());
					return super.getConnection();
				}

			} : bean;
		}

	}

}
