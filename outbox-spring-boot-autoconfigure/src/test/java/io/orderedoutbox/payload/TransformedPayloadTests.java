/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.payload;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

import io.orderedoutbox.OutboxMessage;
import io.orderedoutbox.OutboxPublicationException;
import io.orderedoutbox.PartitionKey;
import io.orderedoutbox.admin.ArchiveReplay;
import io.orderedoutbox.admin.MessageSelection;
import io.orderedoutbox.admin.OutboxAdministration;
import io.orderedoutbox.payload.PayloadTransformer.UndoneBy;
import io.orderedoutbox.relay.OutboxRelay;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.store.FailedMessage.Fate;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.OutboxApplication.Builder;
import io.orderedoutbox.testing.RelayRecorder;
import io.orderedoutbox.testing.RemoteTransformer;
import io.orderedoutbox.testing.StoredRow;
import io.orderedoutbox.testing.TestQueue;
import io.orderedoutbox.testing.TestQueue.Arrival;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Payloads that transformers change, from the event to the wire.
 */
@Timeout(60)
class TransformedPayloadTests {

	private static final String LARGE = "x".repeat(4000);

	private static final String JSON = "{\"id\":\"a\",\"text\":\"%s\"}".formatted(LARGE);

	private final Database database = Servers.database().fresh();

	private final TestQueue queue = TestQueue.forEverything();

	@AfterEach
	void close() {
		this.queue.close();
	}

	private Builder application() {
		return OutboxApplication.on(this.database)
			.sendingTo(this.queue)
			.with(RelayRecorder.class)
			.with("outbox.relay.poll-interval", "50ms")
			.with("outbox.retry.initial-interval", "50ms")
			.with("outbox.retry.max-interval", "100ms")
			.with("outbox.retry.max-attempts", 2)
			.with("outbox.retry.on-exhausted", "dead-letter");
	}

	private Builder compressing() {
		return application().with("outbox.payload.compression.enabled", true)
			.with("outbox.payload.compression.min-size", "1KB");
	}

	// What a relay has not sent yet
	private List<StoredRow> rows(OutboxApplication application, Object... events) {
		application.bean(OutboxRelay.class).stop();
		application.publish(events);
		List<StoredRow> rows = application.rows();
		application.bean(OutboxRelay.class).start();
		return rows;
	}

	@Test
	void aConsumerIsToldThatItsPayloadIsCompressed() throws IOException {
		try (OutboxApplication application = compressing().start()) {
			List<StoredRow> rows = rows(application, new Report("a", LARGE), new Report("a", "small"));
			assertThat(rows).extracting(StoredRow::headers)
				.containsExactly("{\"amqp:content-encoding\":\"gzip\"}", null);
			assertThat(rows.get(0).payload()).hasSizeLessThan(200);
			List<Arrival> arrivals = this.queue.await(2);
			Arrival compressed = arrivals.get(0);
			assertThat(compressed.properties().getContentEncoding()).isEqualTo("gzip");
			assertThat(compressed.properties().getContentType()).isEqualTo("application/json");
			assertThat(compressed.properties().getHeaders()).containsOnlyKeys("x-message-id");
			assertThat(new GZIPInputStream(new ByteArrayInputStream(compressed.body())).readAllBytes())
				.asString(StandardCharsets.UTF_8)
				.isEqualTo(JSON);
			assertThat(arrivals.get(1).properties().getContentEncoding()).isNull();
			assertThat(arrivals.get(1).text()).isEqualTo("{\"id\":\"a\",\"text\":\"small\"}");
		}
	}

	@Test
	void aConsumerKnowsNothingOfWhatTheRelayUndoes() {
		try (OutboxApplication application = compressing().with("outbox.payload.compression.undone-by", "relay")
			.start()) {
			List<StoredRow> rows = rows(application, new Report("a", LARGE));
			assertThat(rows.get(0).headers()).isEqualTo("{\"outbox:encoding\":\"gzip\"}");
			assertThat(rows.get(0).payload()).hasSizeLessThan(200);
			Arrival arrival = this.queue.await(1).get(0);
			assertThat(arrival.text()).isEqualTo(JSON);
			assertThat(arrival.properties().getContentEncoding()).isNull();
			assertThat(arrival.properties().getHeaders()).containsOnlyKeys("x-message-id");
		}
	}

	@Test
	void whatIsEncryptedForTheTableIsCompressedBeforeAndTheWireHasTheRest() throws IOException {
		try (OutboxApplication application = compressing().with(Encrypting.class).start()) {
			StoredRow row = rows(application, new Report("a", LARGE)).get(0);
			assertThat(row.headers()).contains("\"amqp:content-encoding\":\"gzip\"", "\"outbox:encoding\":\"aes-gcm\"");
			assertThat(new String(row.payload(), StandardCharsets.ISO_8859_1)).startsWith("\u00042026")
				.doesNotContain("xxx");
			Arrival arrival = this.queue.await(1).get(0);
			assertThat(arrival.properties().getContentEncoding()).isEqualTo("gzip");
			assertThat(new GZIPInputStream(new ByteArrayInputStream(arrival.body())).readAllBytes())
				.asString(StandardCharsets.UTF_8)
				.isEqualTo(JSON);
		}
	}

	@Test
	void rowsWhosePayloadsWereExchangedAreNotSentAndHarmNobodyElse() {
		try (OutboxApplication application = application().with(Encrypting.class).start()) {
			application.bean(OutboxRelay.class).stop();
			application.publish(new Report("a", "1"), new Report("b", "2"), new Report("a", "3"));
			List<StoredRow> rows = application.rows();
			byte[] first = rows.get(0).payload();
			setPayload(application, rows.get(0).id(), rows.get(1).payload());
			setPayload(application, rows.get(1).id(), first);
			application.bean(OutboxRelay.class).start();
			application.awaitEmpty();
			assertThat(this.queue.await(1)).extracting(Arrival::text).containsExactly("{\"id\":\"a\",\"text\":\"3\"}");
			assertThat(deadLetters(application)).hasSize(2)
				.allMatch((error) -> error.contains("'aes-gcm' cannot be undone")
						&& error.contains("the payload belongs to another message"));
		}
	}

	private static void setPayload(OutboxApplication application, long id, byte[] payload) {
		application.jdbc().sql("UPDATE outbox_message SET payload = ? WHERE id = ?").params(payload, id).update();
	}

	@Test
	void aRelayThatCannotUndoItSendsNothingOfItAndGoesOn() {
		try (OutboxApplication publisher = application().withoutRelay().with(Encrypting.class).start()) {
			publisher.publish(new Report("a", "secret"));
		}
		try (OutboxApplication relay = application().start()) {
			relay.publish(new Report("b", "open"));
			relay.awaitEmpty();
			assertThat(this.queue.await(1)).extracting(Arrival::text)
				.containsExactly("{\"id\":\"b\",\"text\":\"open\"}");
			assertThat(deadLetters(relay)).singleElement()
				.asString()
				.contains("changed by 'aes-gcm'", "declare the PayloadTransformer bean");
		}
	}

	@Test
	void aTransformerThatIsAwayCostsNoAttemptAndHoldsItsKeyOnly() {
		try (OutboxApplication application = application().with(Away.class).start()) {
			application.publish(new Report("a", "1"), new Report("a", "2"));
			RelayRecorder recorder = application.bean(RelayRecorder.class);
			Awaitility.await().until(() -> recorder.failures().size() >= 4);
			application.bean(RemoteTransformer.class).isNew = false;
			application.publish(new Report("b", "3"));
			this.queue.await(1);
			assertThat(recorder.failures()).allMatch((failure) -> failure.fate() == Fate.POSTPONED
					&& failure.error().startsWith("its payload cannot be had for now: the key server is away"));
			application.bean(RemoteTransformer.class).isAway = false;
			this.queue.await(3);
			application.awaitEmpty();
			assertThat(this.queue.arrivals()).extracting(Arrival::text)
				.containsExactly("{\"id\":\"b\",\"text\":\"3\"}", "{\"id\":\"a\",\"text\":\"1\"}",
						"{\"id\":\"a\",\"text\":\"2\"}");
			assertThat(deadLetters(application)).isEmpty();
		}
	}

	// Longer than a socket holds back what was sent before
	@Test
	void aTransformerThatTakesLongHoldsUpNothingThatWasSentBefore() {
		try (OutboxApplication application = application().with(Away.class)
			.with("outbox.relay.workers", 1)
			.with("outbox.partitions", 1)
			.start()) {
			RemoteTransformer transformer = application.bean(RemoteTransformer.class);
			RelayRecorder recorder = application.bean(RelayRecorder.class);
			transformer.isAway = false;
			transformer.takes = Duration.ofMillis(1500);
			application.bean(OutboxRelay.class).stop();
			transformer.isNew = false;
			application.publish(new Report("a", "1"));
			transformer.isNew = true;
			application.publish(new Report("b", "2"), new Report("c", "3"));
			application.bean(OutboxRelay.class).start();
			this.queue.await(3);
			application.awaitEmpty();
			assertThat(this.queue.arrivals()).extracting(Arrival::text)
				.containsExactly("{\"id\":\"a\",\"text\":\"1\"}", "{\"id\":\"b\",\"text\":\"2\"}",
						"{\"id\":\"c\",\"text\":\"3\"}");
			assertThat(recorder.failures()).isEmpty();
		}
	}

	@Test
	void aTransformerThatThrowsRefusesTheEventAndNothingIsStored() {
		try (OutboxApplication application = compressing()
			.with("outbox.payload.compression.max-decompressed-size", "2KB")
			.start()) {
			application.transaction()
				.executeWithoutResult((status) -> assertThatExceptionOfType(OutboxPublicationException.class)
					.isThrownBy(() -> application.outbox().publish(new Report("a", LARGE)))
					.withMessageContaining(Report.class.getName())
					.withMessageContaining("cannot be transformed")
					.withMessageContaining("outbox.payload.compression.max-decompressed-size"));
			assertThat(application.depth()).isZero();
			assertThat(this.queue.arrivals()).isEmpty();
		}
	}

	@Test
	void theGreatestSizeIsThatOfWhatIsStored() {
		byte[] random = new byte[3000];
		new Random(42).nextBytes(random);
		try (OutboxApplication application = compressing().withoutRelay()
			.with("outbox.max-payload-size", "2KB")
			.start()) {
			application.publish(new Report("a", LARGE.repeat(10)));
			assertThat(application.rows()).singleElement()
				.satisfies((row) -> assertThat(row.payload()).hasSizeLessThan(2048));
			application.transaction()
				.executeWithoutResult((status) -> assertThatExceptionOfType(OutboxPublicationException.class)
					.isThrownBy(() -> application.outbox()
						.publish(new Report("a", Base64.getEncoder().encodeToString(random))))
					.withMessageContaining("outbox.max-payload-size"));
		}
	}

	@Test
	void aClaimCheckIsRedeemedByTheRelayAndRemovedIfItsTransactionRollsBack(@TempDir Path directory)
			throws IOException {
		try (OutboxApplication application = application().with(Checking.class).with("directory", directory).start()) {
			List<StoredRow> rows = rows(application, new Report("a", LARGE));
			assertThat(new String(rows.get(0).payload(), StandardCharsets.UTF_8)).matches("\\S{36} 4020 \\S{64}");
			assertThat(this.queue.await(1).get(0).text()).isEqualTo(JSON);
			application.awaitEmpty();
			assertThat(files(directory)).hasSize(1);
			application.transaction().executeWithoutResult((status) -> {
				application.outbox().publish(new Report("a", LARGE));
				assertThat(files(directory)).hasSize(2);
				status.setRollbackOnly();
			});
			assertThat(files(directory)).hasSize(1);
		}
	}

	private static List<Path> files(Path directory) {
		try (Stream<Path> files = Files.list(directory)) {
			return files.toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Test
	void whatIsReplayedFromTheArchiveIsUndoneAgain() {
		try (OutboxApplication application = compressing().with(Encrypting.class)
			.with("outbox.payload.compression.undone-by", "relay")
			.with("outbox.archive.enabled", true)
			.start()) {
			UUID id = application.publish((Object) new Report("a", LARGE));
			this.queue.await(1);
			application.awaitEmpty();
			application.bean(OutboxAdministration.class).replay(ArchiveReplay.of(MessageSelection.all()));
			List<Arrival> arrivals = this.queue.await(2);
			assertThat(arrivals).extracting(Arrival::text).containsExactly(JSON, JSON);
			assertThat(arrivals).extracting(Arrival::messageId).containsOnly(id.toString());
			assertThat(arrivals.get(1).properties().getHeaders()).containsOnlyKeys("x-message-id", "x-replayed-at");
		}
	}

	private static List<String> deadLetters(OutboxApplication application) {
		return application.jdbc().sql("SELECT last_error FROM outbox_dead_letter").query(String.class).list();
	}

	@OutboxMessage("report.made")
	record Report(@PartitionKey String id, String text) {

	}

	static class Encrypting {

		@Bean
		PayloadTransformer encryption() {
			return new AesGcmTransformer(Map.of("2026", AesGcmTransformerTests.OLD), "2026", UndoneBy.RELAY);
		}

	}

	static class Checking {

		@Bean
		PayloadTransformer claimCheck(@Value("${directory}") Path directory) {
			return new ClaimCheckTransformer(new DirectoryStorage(directory), DataSize.ofKilobytes(1), UndoneBy.RELAY);
		}

	}

	static class Away {

		@Bean
		RemoteTransformer away() {
			return new RemoteTransformer(UndoneBy.RELAY);
		}

	}

}
