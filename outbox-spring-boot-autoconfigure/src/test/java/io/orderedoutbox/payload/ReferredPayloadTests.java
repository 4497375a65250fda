/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.payload;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;

import io.orderedoutbox.DelayStamp;
import io.orderedoutbox.OutboxMessage;
import io.orderedoutbox.PartitionKey;
import io.orderedoutbox.admin.ArchiveReplay;
import io.orderedoutbox.admin.JsonLines;
import io.orderedoutbox.admin.MessageSelection;
import io.orderedoutbox.admin.MessageState;
import io.orderedoutbox.admin.OutboxAdministration;
import io.orderedoutbox.admin.TimeRange;
import io.orderedoutbox.payload.PayloadTransformer.UndoneBy;
import io.orderedoutbox.publish.JsonPayloadSerializer;
import io.orderedoutbox.publish.Payload;
import io.orderedoutbox.publish.PayloadSerializer;
import io.orderedoutbox.relay.OutboxRelay;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.store.FailedMessage.Fate;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.OutboxApplication.Builder;
import io.orderedoutbox.testing.RelayRecorder;
import io.orderedoutbox.testing.RemoteTransformer;
import io.orderedoutbox.testing.StoredRow;
import io.orderedoutbox.testing.TestQueue;
import io.orderedoutbox.testing.TestQueue.Arrival;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.util.StringUtils;
import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Rows that refer to an event store: what is stored, what is sent, and what happens when
 * the event is not there.
 */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class ReferredPayloadTests {

	private final TestQueue queue = TestQueue.forEverything();

	@AfterEach
	void close() {
		this.queue.close();
	}

	private Builder application() {
		return OutboxApplication.on(Servers.database().fresh())
			.sendingTo(this.queue)
			.with(RelayRecorder.class, Referring.class)
			.with("outbox.relay.poll-interval", "50ms")
			.with("outbox.retry.initial-interval", "50ms")
			.with("outbox.retry.max-interval", "100ms")
			.with("outbox.retry.max-attempts", 2)
			.with("outbox.retry.on-exhausted", "dead-letter");
	}

	private static OutboxApplication started(Builder builder) {
		OutboxApplication application = builder.start();
		application.bean(EventStore.class).createTable();
		return application;
	}

	private static Appended appended(OutboxApplication application, String key, String text) {
		Appended event = new Appended(key, UUID.randomUUID().toString());
		application.bean(EventStore.class).append(event.id(), "event.appended", json(text));
		return event;
	}

	private static String json(String text) {
		return "{\"text\":\"%s\"}".formatted(text);
	}

	@Test
	void theRowHasTheReferenceAndTheWireHasThePayload() {
		try (OutboxApplication application = started(application())) {
			application.bean(OutboxRelay.class).stop();
			Appended event = appended(application, "a", "1");
			application.publish(event, new OrderPlaced("a", 2));
			StoredRow row = application.rows().get(0);
			assertThat(row.text()).isEqualTo(event.id());
			assertThat(row.contentType()).isEqualTo("application/vnd.ordered-outbox.reference");
			application.bean(OutboxRelay.class).start();
			List<Arrival> arrivals = this.queue.await(2);
			assertThat(arrivals).extracting(Arrival::text)
				.containsExactly(json("1"), "{\"orderId\":\"a\",\"version\":2}");
			assertThat(arrivals.get(0).properties().getContentType()).isEqualTo("application/json");
			assertThat(arrivals.get(0).properties().getType()).isEqualTo("event.appended");
			assertThat(arrivals.get(0).messageId()).isEqualTo(row.messageId());
		}
	}

	@Test
	void theEventsOfABatchAreLoadedTogether() {
		try (OutboxApplication application = started(application().with("outbox.relay.workers", 1))) {
			application.bean(OutboxRelay.class).stop();
			List<Object> events = new ArrayList<>();
			for (int i = 0; i < 100; i++) {
				events.add(appended(application, "key-" + i % 10, String.valueOf(i)));
			}
			application.publish(events.toArray());
			application.bean(OutboxRelay.class).start();
			this.queue.await(100);
			application.awaitEmpty();
			for (int key = 0; key < 10; key++) {
				int first = key;
				assertThat(this.queue.firstArrivals()).extracting(Arrival::text)
					.containsSubsequence(IntStream.range(0, 10)
						.mapToObj((i) -> json(String.valueOf(first + 10 * i)))
						.toArray(String[]::new));
			}
			CountingSource source = application.bean(CountingSource.class);
			assertThat(source.calls).hasSizeLessThan(10);
			assertThat(source.calls.stream().mapToInt(Collection::size).sum()).isBetween(100, 150);
		}
	}

	@Test
	void anEventThatSeveralMessagesOfABatchReferToIsLoadedOnce() {
		try (OutboxApplication application = started(application().with("outbox.relay.workers", 1))) {
			application.bean(OutboxRelay.class).stop();
			Appended event = appended(application, "a", "1");
			application.publish(event, event, event);
			application.bean(OutboxRelay.class).start();
			List<Arrival> arrivals = this.queue.await(3);
			application.awaitEmpty();
			assertThat(arrivals).extracting(Arrival::text).containsExactly(json("1"), json("1"), json("1"));
			assertThat(arrivals).extracting(Arrival::messageId).doesNotHaveDuplicates();
			assertThat(application.bean(CountingSource.class).calls)
				.containsExactly(List.of(new PayloadReference("event.appended", event.id())));
		}
	}

	@Test
	void anEventThatIsNotThereIsAFailureOfItsMessage() {
		try (OutboxApplication application = started(application())) {
			application.publish(new Appended("a", "nowhere"), appended(application, "a", "2"));
			assertThat(this.queue.await(1)).extracting(Arrival::text).containsExactly(json("2"));
			application.awaitEmpty();
			Map<String, Object> dead = application.jdbc()
				.sql("SELECT attempts, last_error, payload, content_type FROM outbox_dead_letter")
				.query()
				.singleRow();
			assertThat(dead.get("attempts").toString()).isEqualTo("2");
			assertThat(dead.get("last_error").toString()).contains("knows nothing of 'nowhere'");
			assertThat((byte[]) dead.get("payload")).asString().isEqualTo("nowhere");
			// It comes after all, and an operator sends it again
			application.bean(EventStore.class).append("nowhere", "event.appended", json("1"));
			application.bean(OutboxAdministration.class).requeue(MessageSelection.all());
			assertThat(this.queue.await(2).get(1).text()).isEqualTo(json("1"));
		}
	}

	@Test
	void aRowWhoseReferenceIsDamagedIsAFailureOfItsMessage() {
		try (OutboxApplication application = started(application())) {
			application.bean(OutboxRelay.class).stop();
			application.publish(appended(application, "a", "1"), appended(application, "a", "2"),
					appended(application, "a", "3"));
			List<StoredRow> rows = application.rows();
			String update = "UPDATE outbox_message SET payload = ? WHERE id = ?";
			application.jdbc().sql(update).params(new byte[0], rows.get(0).id()).update();
			application.jdbc().sql(update).params(new byte[] { (byte) 0xff }, rows.get(1).id()).update();
			application.bean(OutboxRelay.class).start();
			assertThat(this.queue.await(1)).extracting(Arrival::text).containsExactly(json("3"));
			application.awaitEmpty();
			assertThat(application.jdbc().sql("SELECT COUNT(*) FROM outbox_dead_letter").query(Long.class).single())
				.isEqualTo(2);
		}
	}

	@Test
	void aStoreThatIsAwayCostsNoAttemptAndIsSaidOnce(CapturedOutput output) {
		try (OutboxApplication application = started(application())) {
			CountingSource source = application.bean(CountingSource.class);
			source.isAway = true;
			application.publish(appended(application, "a", "1"), appended(application, "a", "2"),
					new OrderPlaced("b", 1));
			assertThat(this.queue.await(1)).extracting(Arrival::text)
				.containsExactly("{\"orderId\":\"b\",\"version\":1}");
			RelayRecorder recorder = application.bean(RelayRecorder.class);
			Awaitility.await().until(() -> recorder.failures().size() >= 4);
			assertThat(recorder.failures()).allMatch((failure) -> failure.fate() == Fate.POSTPONED);
			assertThat(application.count("attempts > 0")).isZero();
			source.isAway = false;
			assertThat(this.queue.await(3).subList(1, 3)).extracting(Arrival::text)
				.containsExactly(json("1"), json("2"));
			application.awaitEmpty();
			assertThat(StringUtils.countOccurrencesOf(output.getAll(),
					"The payloads of messages that carry a reference cannot be loaded"))
				.isOne();
			assertThat(StringUtils.countOccurrencesOf(output.getAll(), "can be loaded again")).isOne();
		}
	}

	@Test
	void aSourceWorksInNoTransactionOfTheRelay() {
		try (OutboxApplication application = started(application().with("outbox.relay.workers", 1))) {
			application.bean(OutboxRelay.class).stop();
			CountingSource source = application.bean(CountingSource.class);
			EventStore events = application.bean(EventStore.class);
			source.source = (references) -> {
				return application.transaction().execute((status) -> {
					if (references.stream().anyMatch((reference) -> reference.id().equals("broken"))) {
						// On some databases the transaction is of no use from here on
						application.jdbc().sql("SELECT no_such_column FROM event_store").query().listOfRows();
					}
					return events.load(references);
				});
			};
			application.publish(appended(application, "a", "1"), new Appended("b", "broken"),
					appended(application, "c", "3"), new OrderPlaced("d", 4), appended(application, "b", "5"));
			application.bean(OutboxRelay.class).start();
			application.awaitEmpty();
			assertThat(this.queue.await(4)).extracting(Arrival::text)
				.containsExactlyInAnyOrder(json("1"), json("3"), "{\"orderId\":\"d\",\"version\":4}", json("5"));
			assertThat(this.queue.arrivals()).as("nothing is sent twice").hasSize(4);
			assertThat(application.jdbc().sql("SELECT attempts FROM outbox_dead_letter").query(Integer.class).single())
				.isEqualTo(2);
		}
	}

	@Test
	void anEventWithWhichTheStoreSeemsToBeAwayIsAFailureOfItsMessage() {
		try (OutboxApplication application = started(application().with("outbox.relay.workers", 1))) {
			application.bean(OutboxRelay.class).stop();
			EventStore events = application.bean(EventStore.class);
			application.bean(CountingSource.class).source = (references) -> {
				if (references.stream().anyMatch((reference) -> reference.id().equals("broken"))) {
					throw new UncategorizedSQLException("load", null, new SQLException("invalid page", "XX001"));
				}
				return events.load(references);
			};
			application.publish(appended(application, "a", "1"), new Appended("b", "broken"),
					appended(application, "c", "3"), appended(application, "b", "4"));
			application.bean(OutboxRelay.class).start();
			application.awaitEmpty();
			assertThat(this.queue.await(3)).extracting(Arrival::text)
				.containsExactlyInAnyOrder(json("1"), json("3"), json("4"));
			assertThat(application.jdbc().sql("SELECT attempts FROM outbox_dead_letter").query(Integer.class).single())
				.isEqualTo(2);
		}
	}

	@Test
	void withoutASourceTheMessageFailsAndTheReferenceIsNotSent() {
		try (OutboxApplication application = application().with(NoSource.class)
			.with("spring.main.allow-bean-definition-overriding", true)
			.start()) {
			application.publish(new Appended("a", "1"), new OrderPlaced("a", 2));
			assertThat(this.queue.await(1)).extracting(Arrival::text)
				.containsExactly("{\"orderId\":\"a\",\"version\":2}");
			application.awaitEmpty();
			assertThat(application.jdbc().sql("SELECT last_error FROM outbox_dead_letter").query(String.class).single())
				.contains("there is no PayloadSource here");
		}
	}

	@Test
	void theArchiveKeepsTheReferenceAndAReplayLoadsWhatIsThereNow() {
		try (OutboxApplication application = started(application().with("outbox.archive.enabled", true))) {
			Appended event = appended(application, "a", "before");
			application.publish((Object) event);
			this.queue.await(1);
			application.awaitEmpty();
			OutboxAdministration operator = application.bean(OutboxAdministration.class);
			StringWriter export = new StringWriter();
			operator.export(MessageState.ARCHIVED, MessageSelection.all(), TimeRange.ALWAYS, new JsonLines(export));
			assertThat(export.toString()).contains("\"payload\":\"%s\"".formatted(event.id()),
					"application/vnd.ordered-outbox.reference");
			application.jdbc().sql("UPDATE event_store SET body = ?").param(json("after")).update();
			operator.replay(ArchiveReplay.of(MessageSelection.all()));
			assertThat(this.queue.await(2)).extracting(Arrival::text).containsExactly(json("before"), json("after"));
		}
	}

	@Test
	void anEventThatWaitsIsLoadedWhenItsTimeHasCome() {
		try (OutboxApplication application = started(application())) {
			Appended event = appended(application, "a", "early");
			application.inTransaction((outbox) -> outbox.publish(event, DelayStamp.of(Duration.ofSeconds(2))));
			application.publish(new OrderPlaced("b", 1));
			this.queue.await(1);
			assertThat(application.bean(CountingSource.class).calls).isEmpty();
			application.jdbc().sql("UPDATE event_store SET body = ?").param(json("late")).update();
			assertThat(this.queue.await(2).get(1).text()).isEqualTo(json("late"));
		}
	}

	@Test
	void whatIsLoadedIsCompressedForItsConsumerLikeAllElse() throws IOException {
		try (OutboxApplication application = started(application().with("outbox.payload.compression.enabled", true)
			.with("outbox.payload.compression.min-size", "100B"))) {
			application.publish((Object) appended(application, "a", "x".repeat(1000)));
			Arrival arrival = this.queue.await(1).get(0);
			assertThat(arrival.properties().getContentEncoding()).isEqualTo("gzip");
			assertThat(new GZIPInputStream(new ByteArrayInputStream(arrival.body())).readAllBytes()).asString()
				.isEqualTo(json("x".repeat(1000)));
		}
	}

	@Test
	void aStorageThatIsAwayWhenTheyAreLoadedCostsNoAttempt() {
		try (OutboxApplication application = started(application().with(Checking.class))) {
			AwayStorage storage = application.bean(AwayStorage.class);
			application.publish((Object) appended(application, "a", "x".repeat(1000)));
			RelayRecorder recorder = application.bean(RelayRecorder.class);
			Awaitility.await().until(() -> recorder.failures().size() >= 4);
			assertThat(recorder.failures()).allMatch((failure) -> failure.fate() == Fate.POSTPONED);
			assertThat(application.count("attempts > 0")).isZero();
			storage.isAway = false;
			assertThat(this.queue.await(1).get(0).properties().getContentEncoding()).isEqualTo("claim-check");
			application.awaitEmpty();
		}
	}

	// The database ends a session that says nothing for the lock timeout
	@Test
	void aTransformerThatTakesLongForTheReferencesOfAClaimDoesNotLoseIt() {
		try (OutboxApplication application = started(application().with(SlowTransformer.class)
			.with("outbox.partitions", 1)
			.with("outbox.relay.workers", 1)
			.with("outbox.relay.poll-interval", "1m")
			.with("outbox.relay.confirm-timeout", "500ms")
			.with("outbox.relay.lock-timeout", "1s"))) {
			application.bean(OutboxRelay.class).stop();
			List<Object> events = new ArrayList<>();
			for (int i = 0; i < 60; i++) {
				events.add(appended(application, "key-" + i % 3, String.valueOf(i)));
			}
			application.publish(events.toArray());
			application.bean(OutboxRelay.class).start();
			List<Arrival> arrivals = this.queue.await(60);
			application.awaitEmpty();
			assertThat(arrivals).extracting(Arrival::messageId).doesNotHaveDuplicates();
			for (int key = 0; key < 3; key++) {
				int first = key;
				assertThat(arrivals).extracting(Arrival::text)
					.containsSubsequence(IntStream.range(0, 20)
						.mapToObj((i) -> json(String.valueOf(first + 3 * i)))
						.toArray(String[]::new));
			}
		}
	}

	@OutboxMessage("event.appended")
	record Appended(@PartitionKey String key, String id) {

	}

	static class Referring {

		@Bean
		EventStore eventStore(JdbcClient jdbc) {
			return new EventStore(jdbc);
		}

		@Bean
		@Primary
		CountingSource source(EventStore events) {
			return new CountingSource(events);
		}

		@Bean
		PayloadSerializer payloadSerializer(JsonMapper mapper) {
			PayloadSerializer json = new JsonPayloadSerializer(mapper);
			return (event) -> (event instanceof Appended appended) ? Payload.reference(appended.id())
					: json.serialize(event);
		}

	}

	static class Checking {

		@Bean
		AwayStorage awayStorage() {
			return new AwayStorage();
		}

		@Bean
		PayloadTransformer claimCheck(AwayStorage storage) {
			return new ClaimCheckTransformer(storage, DataSize.ofBytes(100), UndoneBy.CONSUMER);
		}

	}

	/**
	 * Asks a server for what it does to a payload.
	 */
	static final class SlowTransformer extends RemoteTransformer {

		SlowTransformer() {
			super(UndoneBy.CONSUMER);
			this.isAway = false;
			this.takes = Duration.ofMillis(50);
		}

		@Override
		public byte[] encode(byte[] payload, PayloadContext context) {
			return decode(payload, context);
		}

	}

	static final class AwayStorage implements PayloadStorage {

		volatile boolean isAway = true;

		private final Map<String, byte[]> payloads = new ConcurrentHashMap<>();

		@Override
		public void put(String key, byte[] payload) {
			if (this.isAway) {
				throw new IllegalStateException("the storage is away");
			}
			this.payloads.put(key, payload);
		}

		@Override
		public byte @Nullable [] get(String key) {
			return this.payloads.get(key);
		}

		@Override
		public void delete(String key) {
			this.payloads.remove(key);
		}

	}

	static class NoSource {

		@Bean
		Object eventStore() {
			return new Object();
		}

		@Bean
		Object source() {
			return new Object();
		}

	}

	/**
	 * Remembers what was asked for.
	 */
	static final class CountingSource implements PayloadSource {

		final List<Collection<PayloadReference>> calls = new CopyOnWriteArrayList<>();

		volatile boolean isAway;

		private volatile PayloadSource source;

		CountingSource(PayloadSource source) {
			this.source = source;
		}

		@Override
		public Map<PayloadReference, LoadedPayload> load(Collection<PayloadReference> references) {
			this.calls.add(references);
			if (this.isAway) {
				throw new DataAccessResourceFailureException("the event store is away");
			}
			return this.source.load(references);
		}

	}

}
