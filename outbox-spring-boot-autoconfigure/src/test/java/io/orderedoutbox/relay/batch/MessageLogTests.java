/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay.batch;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.orderedoutbox.Destination;
import io.orderedoutbox.send.OutboxScope;
import io.orderedoutbox.store.FailedMessage;
import io.orderedoutbox.store.Message;
import io.orderedoutbox.store.StoredMessage;
import io.orderedoutbox.testing.MainSources;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.logging.logback.StructuredLogEncoder;
import org.springframework.core.env.Environment;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link MessageLog}.
 */
@Tag("unit")
class MessageLogTests {

	private static final UUID ID = UUID.fromString("01a200f1-ca6c-7550-936a-17f2db389a44");

	private final StoredMessage message = new StoredMessage(7, new Message(ID, "order.placed", "a",
			new Destination("orders", "order.placed.eu"), "application/json", new byte[0], Map.of()), Instant.EPOCH, 2,
			null);

	private final Logger logger = (Logger) LoggerFactory.getLogger(MessageLog.class);

	private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

	@BeforeEach
	void listen() {
		this.lines.start();
		this.logger.addAppender(this.lines);
		this.logger.setLevel(Level.DEBUG);
	}

	@AfterEach
	void leave() {
		this.logger.detachAppender(this.lines);
		this.logger.setLevel(null);
	}

	@Test
	void aLineKnowsItsMessage() {
		MessageLog.published(this.message);
		ILoggingEvent line = this.lines.list.get(0);
		assertThat(line.getLevel()).isEqualTo(Level.DEBUG);
		assertThat(line.getFormattedMessage()).contains(ID.toString(), "order.placed", "published");
		assertThat(line.getMDCPropertyMap()).containsEntry("message_id", ID.toString())
			.containsEntry("message_name", "order.placed")
			.containsEntry("partition_key", "a");
		assertThat(keyValues(line)).containsEntry("exchange", "orders")
			.containsEntry("routing_key", "order.placed.eu")
			.containsEntry("failed_attempts", 2);
		assertThat(MDC.getCopyOfContextMap()).isNullOrEmpty();
	}

	@Test
	void aFailureSaysWhatBecomesOfTheMessage() {
		FailedMessage failure = FailedMessage.retried(7, "nacked", Duration.ofSeconds(1));
		MessageLog.failed(this.message, failure);
		MessageLog.warn("{} failed. One is {}: {}", 3, this.message, failure);
		assertThat(this.lines.list).extracting(ILoggingEvent::getLevel).containsExactly(Level.DEBUG, Level.WARN);
		assertThat(this.lines.list)
			.allSatisfy((line) -> assertThat(keyValues(line)).containsEntry("fate", FailedMessage.Fate.RETRIED)
				.containsEntry("error", "nacked"));
		assertThat(keyValues(this.lines.list.get(1))).containsEntry("messages", 3);
	}

	@Test
	void nothingIsSaidOfSingleMessagesUnlessSomebodyListens() {
		this.logger.setLevel(Level.INFO);
		MessageLog.published(this.message);
		MessageLog.failed(this.message, FailedMessage.blocked(7, "nacked"));
		assertThat(this.lines.list).isEmpty();
	}

	@Test
	void structuredFormatsCanWriteIt() {
		MessageLog.warn("{} failed. One is {}: {}", 3, this.message, FailedMessage.blocked(7, "nacked"));
		for (String format : List.of("logstash", "ecs", "gelf")) {
			String json = encode(format, this.lines.list.get(0));
			JsonNode line = JsonMapper.shared().readTree(json);
			assertThat(line.toString()).contains(ID.toString(), "order.placed.eu", "nacked");
		}
	}

	@Test
	void aMessageThatWaitsForItsDestinationHasALineToo() {
		new Results(new FailurePolicy(new RetryPolicy(Duration.ofSeconds(1), 2, Duration.ofMinutes(1), 0), 0,
				FailurePolicy.OnExhausted.BLOCK))
			.postponed(this.message, new CircuitBreakers.Pause("404", Duration.ofSeconds(1)));
		ILoggingEvent line = this.lines.list.get(0);
		assertThat(line.getLevel()).isEqualTo(Level.DEBUG);
		assertThat(line.getFormattedMessage()).contains(ID.toString(), "waits, POSTPONED", "404");
		assertThat(line.getMDCPropertyMap()).containsEntry("message_id", ID.toString());
		assertThat(keyValues(line)).containsEntry("fate", FailedMessage.Fate.POSTPONED)
			.containsEntry("exchange", "orders");
	}

	@Test
	void keysAreDocumented() throws IOException {
		String document = Files.readString(Path.of("../docs/tracing.md"));
		String lines = document.substring(document.indexOf("## Log lines"));
		assertThat(names(lines, "| MDC |")).containsExactlyInAnyOrder(MessageContext.MESSAGE_ID,
				MessageContext.MESSAGE_NAME, MessageContext.PARTITION_KEY, OutboxScope.OUTBOX);
		String sources = sources();
		Set<String> keys = found("addKeyValue\\(\\s*\"(\\w+)\"", sources);
		assertThat(keys).isNotEmpty();
		assertThat(names(lines, "| key-value |")).containsExactlyInAnyOrderElementsOf(keys);
		assertThat(found("addKeyValue\\(\\s*([^\"\\s])", sources)).as("keys that cannot be read").isEmpty();
	}

	@Test
	void linesAboveDebugHaveKeys() {
		Set<String> statements = found("(\\blog(?:ger)?\\s*\\.\\s*(?:at)?(?i:info|warn|error)\\(.*?;)", sources());
		assertThat(statements).isNotEmpty().allSatisfy((statement) -> assertThat(statement).contains("addKeyValue"));
	}

	private static String sources() {
		return MainSources.lines().values().stream().flatMap(List::stream).collect(Collectors.joining("\n"));
	}

	// What stands in the first column of the table with that heading
	private static Set<String> names(String document, String heading) {
		String table = document.substring(document.indexOf(heading)).split("\n\n", 2)[0];
		return table.lines()
			.map((row) -> row.split("\\|")[1])
			.flatMap((cell) -> found("`(\\w+)`", cell).stream())
			.collect(Collectors.toSet());
	}

	private static Set<String> found(String pattern, String text) {
		return Pattern.compile(pattern, Pattern.DOTALL)
			.matcher(text)
			.results()
			.map((match) -> match.group(1))
			.collect(Collectors.toSet());
	}

	private static String encode(String format, ILoggingEvent event) {
		LoggerContext context = new LoggerContext();
		context.putObject(Environment.class.getName(), new MockEnvironment());
		StructuredLogEncoder encoder = new StructuredLogEncoder();
		encoder.setContext(context);
		encoder.setFormat(format);
		encoder.start();
		return new String(encoder.encode(event), StandardCharsets.UTF_8);
	}

	private static Map<String, Object> keyValues(ILoggingEvent line) {
		return line.getKeyValuePairs().stream().collect(Collectors.toMap((pair) -> pair.key, (pair) -> pair.value));
	}

}
