/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.once;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.ApplicationProcess;
import io.orderedoutbox.testing.ApplicationProcess.Ended;
import io.orderedoutbox.testing.OrderLost;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.TestQueue;
import io.orderedoutbox.testing.TestQueue.Arrival;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An ordinary application in a process of its own, started with
 * {@code outbox.relay.mode=once}: what it sends, what it writes and how it ends.
 */
@Tag("slow")
class OneShotTests {

	private final Database database = Servers.database().fresh();

	private final ApplicationProcess process = new ApplicationProcess(HeadlessApplication.class, this.database)
		.with("outbox.relay.mode", "once");

	private TestQueue queue;

	private OutboxApplication writer;

	@BeforeEach
	void start() {
		this.queue = TestQueue.bound("order.placed");
		this.writer = OutboxApplication.on(this.database).withoutRelay().sendingTo(this.queue).start();
	}

	@AfterEach
	void stop() {
		this.writer.close();
		this.queue.close();
	}

	@Test
	void drainsWhatIsDueAndEndsWithZero() throws Exception {
		publish(5, 8);
		Ended ended = this.process.with("outbox.archive.enabled", "true").run();
		assertThat(ended.exitCode()).as(ended.output()).isZero();
		assertThat(ended.output()).contains("Worker ", "40 published, 0 failed", "Nothing more is due");
		assertThat(this.writer.depth()).isZero();
		assertThat(this.queue.versionsOf("order-3")).containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
		assertThat(
				this.writer.jdbc().sql("SELECT message_id FROM outbox_archive ORDER BY id").query(String.class).list())
			.hasSize(40)
			.containsExactlyInAnyOrderElementsOf(this.queue.await(40).stream().map(Arrival::messageId).toList());
	}

	// It does not even ask for the broker
	@Test
	@Tag("thorough")
	void nothingToDoEndsWithZero() throws Exception {
		Ended ended = this.process.with("spring.rabbitmq.port", 1).run();
		assertThat(ended.exitCode()).as(ended.output()).isZero();
		assertThat(ended.output()).contains("Nothing more is due");
	}

	@Test
	void writesOneJsonObjectForEachBatchAndOneAtTheEnd() throws Exception {
		publish(4, 10);
		Ended ended = this.process.with("outbox.relay.once.output", "json")
			.with("outbox.relay.batch-size", 8)
			.with("outbox.relay.workers", 3)
			.run();
		assertThat(ended.exitCode()).as(ended.output()).isZero();
		List<JsonNode> lines = json(ended);
		List<JsonNode> batches = lines.subList(0, lines.size() - 1);
		assertThat(batches).hasSizeGreaterThanOrEqualTo(5).allSatisfy((batch) -> {
			assertThat(batch.get("event").asString()).isEqualTo("batch");
			assertThat(batch.get("worker").asInt()).isBetween(1, 3);
			assertThat(batch.get("workers").asInt()).isEqualTo(3);
			assertThat(batch.get("claimed").asInt()).isBetween(1, 8);
			assertThat(batch.get("failed").asInt()).isZero();
			assertThat(List.of("claim_ms", "send_ms", "complete_ms"))
				.allSatisfy((duration) -> assertThat(batch.get(duration).asDouble()).isPositive());
		});
		assertThat(batches.stream().mapToInt((batch) -> batch.get("published").asInt()).sum()).isEqualTo(40);
		JsonNode end = lines.get(lines.size() - 1);
		assertThat(end.get("event").asString()).isEqualTo("end");
		assertThat(end.get("reason").asString()).isEqualTo("drained");
		assertThat(end.get("error").isNull()).isTrue();
		assertThat(end.get("exit_code").asInt()).isZero();
		assertThat(end.get("batches").asInt()).isEqualTo(batches.size());
		assertThat(end.get("published").asInt()).isEqualTo(40);
		assertThat(end.get("duration_ms").asDouble()).isPositive();
		assertThat(this.queue.versionsOf("order-1")).containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
	}

	@Test
	void failuresEndWithOneAndDoNotHoldUpOtherKeys() throws Exception {
		this.writer.publish(new OrderLost("a", 1), new OrderPlaced("a", 1), new OrderPlaced("b", 1));
		Ended ended = this.process.with("outbox.relay.once.output", "json")
			.with("outbox.retry.initial-interval", "1h")
			.with("outbox.retry.max-interval", "1h")
			.run();
		assertThat(ended.exitCode()).as(ended.output()).isEqualTo(1);
		JsonNode end = json(ended).get(json(ended).size() - 1);
		assertThat(end.get("failed").asInt()).isEqualTo(1);
		assertThat(end.get("published").asInt()).isEqualTo(1);
		assertThat(end.get("exit_code").asInt()).isEqualTo(1);
		assertThat(this.writer.rows()).extracting("name").containsExactly("order.lost", "order.placed");
		assertThat(this.queue.versionsOf("b")).containsExactly(1);
	}

	@Test
	void aMisspeltModeEndsWithTwoAndAReport() throws Exception {
		assertBadOption("onec", "outbox.relay.once.limit", "1", "onec");
	}

	@ParameterizedTest
	@Tag("thorough")
	@CsvSource({ "'once ', outbox.relay.once.limit, -1, -1", "once, outbox.jdbc.table-prefix, nobodys_, nobodys_" })
	void otherBadOptionsDoSoAsWell(String mode, String property, String value, String named) throws Exception {
		assertBadOption(mode, property, value, named);
	}

	private void assertBadOption(String mode, String property, String value, String named) throws Exception {
		Ended ended = this.process.with("outbox.relay.mode", mode)
			.with(property, value)
			.with("outbox.jdbc.initialize-schema", "never")
			.run();
		assertThat(ended.exitCode()).as(ended.output()).isEqualTo(2);
		assertThat(ended.output()).contains("APPLICATION FAILED TO START", named);
	}

	@Test
	void brokerThatIsNotThereEndsWithThree() throws Exception {
		publish(1, 2);
		Ended ended = this.process.with("spring.rabbitmq.port", 1).with("outbox.relay.once.output", "json").run();
		assertThat(ended.exitCode()).as(ended.output()).isEqualTo(3);
		JsonNode end = json(ended).get(json(ended).size() - 1);
		assertThat(end.get("reason").asString()).isEqualTo("unreachable");
		assertThat(end.get("error").asString()).contains("refused");
		assertThat(this.writer.rows()).extracting("attempts").containsExactly(0, 0);
	}

	@Test
	void databaseThatIsNotThereEndsWithThree() throws Exception {
		assertDatabaseIsUnreachable("never");
	}

	@Test
	@Tag("thorough")
	void soDoesOneInWhichTablesAreToBeMade() throws Exception {
		assertDatabaseIsUnreachable("always");
	}

	private void assertDatabaseIsUnreachable(String initializeSchema) throws Exception {
		Ended ended = this.process.with("spring.datasource.url", "jdbc:mysql://127.0.0.1:1/nowhere")
			.with("outbox.jdbc.initialize-schema", initializeSchema)
			.run();
		assertThat(ended.exitCode()).as(ended.output()).isEqualTo(3);
	}

	@Test
	@Tag("thorough")
	void sendsNoMoreThanTheLimit() throws Exception {
		publish(3, 10);
		Ended ended = this.process.with("outbox.relay.once.limit", 7)
			.with("outbox.relay.batch-size", 4)
			.with("outbox.relay.once.output", "json")
			.run();
		assertThat(ended.exitCode()).as(ended.output()).isZero();
		assertThat(json(ended).get(json(ended).size() - 1).get("reason").asString()).isEqualTo("limit");
		assertThat(this.queue.await(7)).hasSize(7);
		assertThat(this.writer.depth()).isEqualTo(23);
	}

	@Test
	@Tag("thorough")
	void endsWhenItsTimeIsUp() throws Exception {
		publish(3, 10);
		Ended ended = this.process.with("outbox.relay.once.time-limit", "1ms")
			.with("outbox.relay.once.output", "json")
			.run();
		assertThat(ended.exitCode()).as(ended.output()).isZero();
		assertThat(json(ended).get(json(ended).size() - 1).get("reason").asString()).isEqualTo("time-limit");
		assertThat(this.writer.depth()).isPositive();
	}

	@Test
	void aSignalEndsItAndTheMessagesStay() throws Exception {
		publish(1, 3);
		// A broker that takes the connection and says nothing
		try (ServerSocket broker = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			broker.setSoTimeout(60_000);
			Ended ended = this.process.with("spring.rabbitmq.host", "127.0.0.1")
				.with("spring.rabbitmq.port", broker.getLocalPort())
				.with("outbox.relay.stop-timeout", "1s")
				.run((process) -> endWhenConnected(process, broker));
			assertThat(ended.exitCode()).as(ended.output()).isEqualTo(128 + 15);
		}
		assertThat(this.writer.rows()).extracting("attempts").containsExactly(0, 0, 0);
	}

	private static void endWhenConnected(Process process, ServerSocket broker) {
		try (Socket connection = broker.accept()) {
			assertThat(connection.isConnected()).isTrue();
			process.destroy();
			assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
		}
		catch (IOException | InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	@Tag("thorough")
	void silentIsSilent() throws Exception {
		publish(1, 3);
		Ended ended = this.process.with("outbox.relay.once.output", "silent").run();
		assertThat(ended).isEqualTo(new Ended(0, ""));
		assertThat(this.writer.depth()).isZero();
	}

	private void publish(int orders, int versions) {
		for (int version = 1; version <= versions; version++) {
			int each = version;
			this.writer.publish(IntStream.rangeClosed(1, orders)
				.mapToObj((order) -> new OrderPlaced("order-" + order, each))
				.toArray());
		}
	}

	private static List<JsonNode> json(Ended ended) {
		return ended.lines().stream().map(JsonMapper.shared()::readTree).toList();
	}

}
