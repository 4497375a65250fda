/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.debezium;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.Delivery;
import io.orderedoutbox.DelayStamp;
import io.orderedoutbox.HeaderStamp;
import io.orderedoutbox.MessageIdStamp;
import io.orderedoutbox.OutboxEnvelope;
import io.orderedoutbox.PartitionKeyStamp;
import io.orderedoutbox.debezium.Shop.OrderChanged;
import io.orderedoutbox.servers.Broker;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.RequiresMySql;
import io.orderedoutbox.servers.Servers;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Debezium's outbox event router on the binary log of MySQL, with the configuration that
 * docs/debezium.md shows.
 */
@RequiresMySql
@Timeout(180)
class DebeziumTests {

	private static final String EXCHANGE = "outbox.rabbit.exchange=outbox-debezium";

	private final Database database = Servers.database().fresh();

	@TempDir
	private Path files;

	private Properties settings;

	private Shop shop;

	@BeforeEach
	void start() {
		this.settings = DocumentedConnector.on(this.database, this.database.username(), this.database.password(),
				this.files);
		this.shop = Shop.on(this.database, "outbox.relay.mode=off", EXCHANGE);
	}

	private Capture streaming() {
		this.shop.publish(new OrderChanged(Capture.FIRST, 0));
		return Capture.start(this.settings).awaitFirst();
	}

	@AfterEach
	void close() {
		this.shop.close();
	}

	@Test
	void aRecordIsTheMessageThatTheRelaySends() throws Exception {
		UUID given = UUID.fromString("01a1f9e6-108b-7474-9246-6dc61b7dc692");
		try (Capture capture = streaming()) {
			this.shop.publish(new OrderChanged("a", 1), new OrderChanged("bücher/☃", 2));
			this.shop.publish(OutboxEnvelope.of(new OrderChanged("a", 3), MessageIdStamp.of(given),
					HeaderStamp.of("x-tenant", "süd"), HeaderStamp.of("x-quoted", "a \"b\"")));
			this.shop.publish(OutboxEnvelope.of(new OrderChanged("a", 4), PartitionKeyStamp.none()));
			List<CapturedRecord> records = capture.await(4);
			assertThat(records).extracting(CapturedRecord::key).containsExactly("a", "bücher/☃", "a", "");
			assertThat(records.get(2).header("id")).isEqualTo(given.toString());
			Map<String, Delivery> sent = relayed(5);
			for (CapturedRecord record : records) {
				assertSame(record, sent.get(record.header("id")));
			}
		}
	}

	private static void assertSame(CapturedRecord record, Delivery sent) {
		assertThat(record.text()).isEqualTo(new String(sent.getBody(), StandardCharsets.UTF_8));
		assertThat(record.header("id")).isEqualTo(sent.getProperties().getMessageId());
		assertThat(record.header("type")).isEqualTo(sent.getProperties().getType());
		assertThat(record.header("content-type")).isEqualTo(sent.getProperties().getContentType());
		assertThat(record.topic()).isEqualTo(sent.getEnvelope().getExchange());
		assertThat(record.header("routing-key")).isEqualTo(sent.getEnvelope().getRoutingKey());
		assertThat(record.timestamp().truncatedTo(ChronoUnit.SECONDS))
			.isEqualTo(sent.getProperties().getTimestamp().toInstant());
		Map<String, String> headers = new HashMap<>();
		sent.getProperties().getHeaders().forEach((name, value) -> headers.put(name, value.toString()));
		headers.remove(HeaderStamp.MESSAGE_ID_HEADER);
		assertThat(applicationHeaders(record)).isEqualTo(headers);
	}

	private static Map<String, String> applicationHeaders(CapturedRecord record) {
		Map<String, String> headers = new HashMap<>();
		if (!record.header("headers").isEmpty()) {
			JsonMapper.shared()
				.readTree(record.header("headers"))
				.properties()
				.forEach((header) -> headers.put(header.getKey(), header.getValue().asString()));
		}
		return headers;
	}

	// What a relay makes of the rows that are in the table
	private Map<String, Delivery> relayed(int count) throws Exception {
		Broker broker = Servers.broker();
		ConnectionFactory factory = new ConnectionFactory();
		factory.setHost(broker.host());
		factory.setPort(broker.port());
		factory.setUsername(broker.username());
		factory.setPassword(broker.password());
		List<Delivery> deliveries = new CopyOnWriteArrayList<>();
		try (Connection connection = factory.newConnection(); Channel channel = connection.createChannel()) {
			channel.exchangeDeclare("outbox-debezium", BuiltinExchangeType.TOPIC, false, true, Map.of());
			String queue = channel.queueDeclare().getQueue();
			channel.queueBind(queue, "outbox-debezium", "#");
			channel.basicConsume(queue, true, (tag, delivery) -> deliveries.add(delivery), (tag) -> {
			});
			try (Shop relaying = Shop.on(this.database, "outbox.relay.mode=continuous", EXCHANGE)) {
				Awaitility.await()
					.atMost(30, TimeUnit.SECONDS)
					.until(() -> deliveries.size() >= count && relaying.isEmpty());
			}
		}
		return deliveries.stream()
			.collect(Collectors.toMap((delivery) -> delivery.getProperties().getMessageId(), (delivery) -> delivery));
	}

	@Test
	void theRecordsOfAKeyAreInTheOrderOfTheCommits() throws InterruptedException {
		Set<String> keys = IntStream.range(0, 12).mapToObj((key) -> "order-" + key).collect(Collectors.toSet());
		this.shop.jdbc().sql("CREATE TABLE version (id VARCHAR(20) PRIMARY KEY, version INT NOT NULL)").update();
		keys.forEach((key) -> this.shop.jdbc().sql("INSERT INTO version VALUES (?, 0)").param(key).update());
		List<CapturedRecord> records;
		// The engine is stopped while they write, and begins where it had ended
		CountDownLatch stopped = new CountDownLatch(1);
		ExecutorService writers = Executors.newFixedThreadPool(4);
		Capture first = streaming();
		IntStream.range(0, 4).forEach((writer) -> writers.execute(() -> write(writer, List.copyOf(keys), stopped)));
		first.await(200);
		first.close();
		stopped.countDown();
		writers.shutdown();
		assertThat(writers.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
		int written = this.shop.jdbc().sql("SELECT SUM(version) FROM version").query(Integer.class).single();
		Map<String, Integer> next = new HashMap<>();
		try (Capture second = Capture.start(this.settings)) {
			int already = (int) first.records().stream().map((record) -> record.header("id")).distinct().count();
			second.await((size) -> distinct(first.records(), second.records()) >= written);
			records = new ArrayList<>(first.records());
			records.addAll(second.records());
			assertThat(already).isBetween(200, written - 1);
		}
		Set<String> seen = new HashSet<>();
		for (CapturedRecord record : records) {
			if (seen.add(record.header("id"))) {
				int version = JsonMapper.shared().readTree(record.text()).path("version").asInt();
				assertThat(version).as("version of %s", record.key()).isEqualTo(next.getOrDefault(record.key(), 0) + 1);
				next.put(record.key(), version);
			}
		}
		assertThat(next.values().stream().mapToInt(Integer::intValue).sum()).isEqualTo(written);
	}

	private static long distinct(List<CapturedRecord> first, List<CapturedRecord> second) {
		return Stream.concat(first.stream(), second.stream()).map((record) -> record.header("id")).distinct().count();
	}

	// One key or two in ascending order, and now and then nothing becomes of it
	private void write(int seed, List<String> keys, CountDownLatch stopped) {
		Random random = new Random(seed);
		List<String> sorted = keys.stream().sorted().toList();
		for (int transaction = 0; transaction < 250; transaction++) {
			if (transaction == 200) {
				await(stopped);
			}
			int key = random.nextInt(sorted.size() - 1);
			List<String> changed = random.nextBoolean() ? List.of(sorted.get(key))
					: List.of(sorted.get(key), sorted.get(key + 1));
			boolean undo = random.nextInt(5) == 0;
			this.shop.transaction().executeWithoutResult((status) -> {
				for (String order : changed) {
					this.shop.jdbc().sql("UPDATE version SET version = version + 1 WHERE id = ?").param(order).update();
					int version = this.shop.jdbc()
						.sql("SELECT version FROM version WHERE id = ?")
						.param(order)
						.query(Integer.class)
						.single();
					this.shop.outbox().publish(new OrderChanged(order, version));
				}
				if (undo) {
					status.setRollbackOnly();
				}
			});
		}
	}

	private static void await(CountDownLatch latch) {
		try {
			assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void rowsThatAreDeletedOrMovedAreNoRecords() {
		try (Capture capture = streaming()) {
			this.shop.publish(new OrderChanged("a", 1), new OrderChanged("b", 2));
			this.shop.jdbc().sql("UPDATE outbox_message SET attempts = 1, last_error = 'returned'").update();
			// As a relay parks a key: the lane is a part of the primary key
			this.shop.jdbc().sql("UPDATE outbox_message SET lane = -id WHERE partition_key = 'a'").update();
			this.shop.jdbc().sql("DELETE FROM outbox_message").update();
			this.shop.publish(new OrderChanged("a", 3));
			capture.await((size) -> capture.records().stream().anyMatch((record) -> record.text().contains("3")));
			assertThat(capture.records()).extracting(CapturedRecord::text)
				.extracting((text) -> text.replaceAll("\\D", ""))
				.containsExactly("1", "2", "3");
		}
	}

	@Test
	void whatWasThereBeforeTheConnectorComesFirst() {
		IntStream.rangeClosed(1, 20)
			.forEach((version) -> this.shop.publish(new OrderChanged("a", version), new OrderChanged("b", version)));
		try (Capture capture = Capture.start(this.settings)) {
			capture.await(40);
			IntStream.rangeClosed(21, 25)
				.forEach(
						(version) -> this.shop.publish(new OrderChanged("a", version), new OrderChanged("b", version)));
			List<CapturedRecord> records = capture.await(50);
			for (String key : List.of("a", "b")) {
				assertThat(records.stream().filter((record) -> record.key().equals(key)).map(CapturedRecord::text))
					.map((text) -> JsonMapper.shared().readTree(text).path("version").asInt())
					.containsExactlyElementsOf(IntStream.rangeClosed(1, 25).boxed().toList());
			}
		}
	}

	@Test
	void aDelayedMessageArrivesAtOnceAndTellsItsTime() {
		try (Capture capture = streaming()) {
			this.shop.publish(OutboxEnvelope.of(new OrderChanged("a", 1), DelayStamp.of(Duration.ofHours(1))),
					new OrderChanged("a", 2));
			List<CapturedRecord> records = capture.await(2);
			assertThat(records.get(0).text()).contains("1");
			assertThat(availableAt(records.get(0))).isAfter(records.get(0).timestamp().plusSeconds(3000));
			assertThat(availableAt(records.get(1)).truncatedTo(ChronoUnit.MILLIS))
				.isEqualTo(records.get(1).timestamp());
		}
	}

	private static Instant availableAt(CapturedRecord record) {
		return Instant.EPOCH.plus(Long.parseLong(record.header("available-at")), ChronoUnit.MICROS);
	}

	@Test
	void theRightsOfTheDocumentationAreEnough() {
		List<String> grants = this.shop.jdbc().sql("SHOW GRANTS").query(String.class).list();
		assumeThat(grants).as("the user of the test may grant").anyMatch((grant) -> grant.contains("GRANT OPTION"));
		String user = "debezium_" + UUID.randomUUID().toString().substring(0, 8);
		for (String statement : DocumentedConnector.rights().split(";")) {
			if (!statement.isBlank()) {
				this.shop.jdbc().sql(statement.replace("'debezium'", "'" + user + "'")).update();
			}
		}
		try (Capture capture = Capture.start(DocumentedConnector.on(this.database, user, "secret", this.files))) {
			this.shop.publish(new OrderChanged("a", 1));
			assertThat(capture.await(1)).hasSize(1);
		}
		finally {
			this.shop.jdbc().sql("DROP USER '" + user + "'@'%'").update();
		}
	}

}
