package io.orderedoutbox.benchmark;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import io.orderedoutbox.Destination;
import io.orderedoutbox.relay.OutboxRelay;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.store.Message;
import io.orderedoutbox.store.OutboxStore;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.TestQueue;

import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory.ConfirmType;
import org.springframework.amqp.rabbit.core.RabbitTemplate;

/**
 * How fast one instance with default relay settings drains a backlog: 100,000 messages of
 * 400 bytes over 1,000 partition keys. For comparison, the limit of one channel: the same
 * messages published by a {@link RabbitTemplate} with confirms, without any outbox.
 * <p>
 * Runs on the servers that the environment names, or on embedded ones, with a heap of 256
 * MB; an argument says how often:
 *
 * <pre>{@code
 * ./mvnw -q test-compile dependency:build-classpath -Dmdep.outputFile=target/classpath \
 *   -pl outbox-test-servers,outbox-spring-boot-autoconfigure && cd outbox-spring-boot-autoconfigure \
 *   && java -Xmx256m -cp "target/test-classes:target/classes:$(cat target/classpath)" \
 *   io.orderedoutbox.benchmark.DrainBenchmark 3
 * }</pre>
 */
public final class DrainBenchmark {

	private static final int MESSAGES = 100_000;

	private static final int KEYS = 1_000;

	private static final int PER_TRANSACTION = 2_000;

	private static final byte[] PAYLOAD = ("{\"text\":\"" + "x".repeat(389) + "\"}")
		.getBytes(java.nio.charset.StandardCharsets.US_ASCII);

	private DrainBenchmark() {
	}

	/**
	 * Run the benchmark.
	 * @param args how often, once by default
	 * @throws Exception if something fails
	 */
	public static void main(String[] args) throws Exception {
		int rounds = (args.length > 0) ? Integer.parseInt(args[0]) : 1;
		for (int round = 1; round <= rounds; round++) {
			drain();
			publishRaw();
		}
	}

	private static void drain() throws Exception {
		Database database = Servers.database().fresh();
		String queue = "outbox-benchmark-" + UUID.randomUUID();
		try (Connection connection = TestQueue.connect("outbox-benchmark");
				Channel channel = connection.createChannel()) {
			channel.queueDeclare(queue, true, false, false, Map.of());
			try (OutboxApplication application = OutboxApplication.on(database).start()) {
				OutboxRelay relay = application.bean(OutboxRelay.class);
				relay.stop();
				fill(application, queue);
				resetPeaks();
				long statements = statements(application);
				long start = System.nanoTime();
				relay.start();
				// The end of the run is seen on the broker: asking the database would be
				// counted
				while (channel.messageCount(queue) < MESSAGES) {
					Thread.sleep(20);
				}
				double seconds = (System.nanoTime() - start) / 1e9;
				relay.stop();
				long counted = statements(application) - statements - 1;
				if (application.depth() != 0) {
					throw new IllegalStateException("There are messages left");
				}
				print("outbox: %,.0f messages/s, %.3f SQL statements/message, greatest heap %d MB of %d MB",
						MESSAGES / seconds, (double) counted / MESSAGES, peak() >> 20,
						Runtime.getRuntime().maxMemory() >> 20);
			}
			channel.queueDelete(queue);
		}
	}

	private static void fill(OutboxApplication application, String queue) {
		OutboxStore store = application.bean(OutboxStore.class);
		for (int from = 0; from < MESSAGES; from += PER_TRANSACTION) {
			List<Message> messages = new ArrayList<>();
			for (int i = from; i < from + PER_TRANSACTION; i++) {
				messages.add(new Message(UUID.randomUUID(), "benchmark.message", "key-" + i % KEYS,
						new Destination("", queue), "application/json", PAYLOAD, Map.of()));
			}
			application.transaction().executeWithoutResult((status) -> store.append(messages));
		}
	}

	// Those of the connections to our schema, this one included
	private static long statements(OutboxApplication application) {
		return application.jdbc().sql("""
				SELECT COALESCE(SUM(s.count_star), 0)
				FROM performance_schema.events_statements_summary_by_thread_by_event_name s
				JOIN performance_schema.threads t ON t.thread_id = s.thread_id
				WHERE t.processlist_db = DATABASE()""").query(Long.class).single();
	}

	private static void resetPeaks() {
		System.gc();
		heap().forEach(MemoryPoolMXBean::resetPeakUsage);
	}

	private static long peak() {
		return heap().stream().mapToLong((pool) -> pool.getPeakUsage().getUsed()).sum();
	}

	private static List<MemoryPoolMXBean> heap() {
		return ManagementFactory.getMemoryPoolMXBeans()
			.stream()
			.filter((pool) -> pool.getType() == MemoryType.HEAP)
			.toList();
	}

	private static void publishRaw() throws Exception {
		String queue = "outbox-benchmark-" + UUID.randomUUID();
		try (Connection connection = TestQueue.connect("outbox-benchmark");
				Channel channel = connection.createChannel()) {
			channel.queueDeclare(queue, true, false, false, Map.of());
			CachingConnectionFactory factory = new CachingConnectionFactory(Servers.broker().host(),
					Servers.broker().port());
			factory.setUsername(Servers.broker().username());
			factory.setPassword(Servers.broker().password());
			factory.setPublisherConfirmType(ConfirmType.SIMPLE);
			long start = System.nanoTime();
			new RabbitTemplate(factory).invoke((operations) -> {
				for (int i = 0; i < MESSAGES; i++) {
					operations.execute((pinned) -> {
						pinned.basicPublish("", queue, true, properties(), PAYLOAD);
						return null;
					});
					if (i % 500 == 499) {
						operations.waitForConfirmsOrDie(TimeUnit.SECONDS.toMillis(30));
					}
				}
				return null;
			});
			double seconds = (System.nanoTime() - start) / 1e9;
			factory.destroy();
			print("raw:    %,.0f messages/s on one channel, 500 in flight", MESSAGES / seconds);
			channel.queueDelete(queue);
		}
	}

	private static AMQP.BasicProperties properties() {
		String id = UUID.randomUUID().toString();
		return new AMQP.BasicProperties.Builder().messageId(id)
			.type("benchmark.message")
			.contentType("application/json")
			.deliveryMode(2)
			.headers(Map.of("x-message-id", id))
			.build();
	}

	private static void print(String format, Object... values) {
		System.out.println(String.format(Locale.ROOT, format, values));
	}

}
