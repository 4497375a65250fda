package io.orderedoutbox.relay;

import java.sql.Connection;
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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.jdbc.datasource.DelegatingDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * One key with all of the backlog, of which a relay reads the next messages while it
 * deletes the last ones.
 */
@Tag("order")
class ReadAheadRelayTests {

	private static final int MESSAGES = 300;

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
	void aPoolOfOneConnectionIsEnough() {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = instance(queue).with("spring.datasource.hikari.maximum-pool-size", 1)
					.with("spring.datasource.hikari.connection-timeout", 60_000)
					.start()) {
			drain(queue, application);
			assertThat(application.bean(OutboxRelay.class).outage()).isNull();
		}
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
		applications[0].publish(IntStream.rangeClosed(1, MESSAGES).mapToObj((i) -> new OrderPlaced("a", i)).toArray());
		for (OutboxApplication application : applications) {
			application.bean(OutboxRelay.class).start();
		}
		applications[0].awaitEmpty();
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
