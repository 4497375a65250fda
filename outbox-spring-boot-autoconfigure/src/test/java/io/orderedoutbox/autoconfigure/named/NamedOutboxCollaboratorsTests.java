/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.named;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.orderedoutbox.DelayStamp;
import io.orderedoutbox.OutboxMessage;
import io.orderedoutbox.PartitionKey;
import io.orderedoutbox.once.OneShotExit;
import io.orderedoutbox.once.OneShotOutput;
import io.orderedoutbox.payload.LoadedPayload;
import io.orderedoutbox.payload.PayloadContext;
import io.orderedoutbox.payload.PayloadReference;
import io.orderedoutbox.payload.PayloadSource;
import io.orderedoutbox.payload.PayloadTransformer;
import io.orderedoutbox.publish.JsonPayloadSerializer;
import io.orderedoutbox.publish.Payload;
import io.orderedoutbox.publish.PayloadSerializer;
import io.orderedoutbox.relay.Batch;
import io.orderedoutbox.relay.OneShotResult;
import io.orderedoutbox.relay.OutboxRelay;
import io.orderedoutbox.relay.RelayListener;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.OutboxApplication.Builder;
import io.orderedoutbox.testing.TestQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.ApplicationListener;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ApplicationContextEvent;
import org.springframework.core.annotation.Order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests for what two outboxes of one application have in common, and for what each has of
 * its own.
 */
class NamedOutboxCollaboratorsTests {

	private final TestQueue orders = TestQueue.forEverything();

	private final TestQueue invoices = TestQueue.forEverything();

	@AfterEach
	void close() {
		this.orders.close();
		this.invoices.close();
	}

	@Test
	void aTransformerServesBothAndTheRelayOfEachUndoesIt() {
		try (OutboxApplication application = started(ForAll.class)) {
			stopRelays(application);
			application.publish(new OrderPlaced("a", 1), new InvoiceSent("b"));
			assertThat(payload(application, "outbox_")).startsWith("of all");
			assertThat(payload(application, "billing_")).startsWith("of all");
			startRelays(application);
			assertThat(this.orders.await(1).get(0).text()).isEqualTo("{\"orderId\":\"a\",\"version\":1}");
			assertThat(this.invoices.await(1).get(0).text()).isEqualTo("{\"customer\":\"b\"}");
		}
	}

	@Test
	void aTransformerThatIsQualifiedWithTheNameIsForThatOutboxAlone() {
		try (OutboxApplication application = started(ForBilling.class)) {
			stopRelays(application);
			application.publish(new OrderPlaced("a", 1), new InvoiceSent("b"));
			assertThat(payload(application, "outbox_")).isEqualTo("{\"orderId\":\"a\",\"version\":1}");
			assertThat(payload(application, "billing_")).startsWith("of billing");
			startRelays(application);
			assertThat(this.invoices.await(1).get(0).text()).isEqualTo("{\"customer\":\"b\"}");
		}
	}

	@Test
	void transformersHaveTheOrderThatTheApplicationGivesThem() {
		try (OutboxApplication application = started(InOrder.class)) {
			stopRelays(application);
			application.publish(new OrderPlaced("a", 1), new InvoiceSent("b"));
			assertThat(payload(application, "outbox_")).startsWith("second first {");
			assertThat(payload(application, "billing_")).startsWith("second first {");
		}
	}

	@Test
	void eachCompressesAsItsOwnPropertiesSay() {
		try (OutboxApplication application = application()
			.with("outbox.named.billing.payload.compression.enabled", true)
			.with("outbox.named.billing.payload.compression.min-size", "1B")
			.start()) {
			application.publish(new OrderPlaced("a", 1), new InvoiceSent("b".repeat(200)));
			assertThat(this.orders.await(1).get(0).properties().getContentEncoding()).isNull();
			assertThat(this.invoices.await(1).get(0).properties().getContentEncoding()).isEqualTo("gzip");
		}
	}

	@Test
	void aSourceLoadsWhatRowsOfBothReferTo() {
		try (OutboxApplication application = started(Referring.class)) {
			application.publish(new OrderPlaced("a", 1), new InvoiceSent("b"));
			assertThat(this.orders.await(1).get(0).text()).isEqualTo("loaded");
			assertThat(this.invoices.await(1).get(0).text()).isEqualTo("loaded");
		}
	}

	@Test
	void aDelayInOneHoldsItsKeyInThatOneAlone() {
		try (OutboxApplication application = application().start()) {
			application.inTransaction((outbox) -> {
				outbox.publish(new InvoiceSent("a"), DelayStamp.of(Duration.ofHours(1)));
				outbox.publish(new InvoiceSent("a"));
				outbox.publish(new InvoiceSent("b"));
				outbox.publish(new OrderPlaced("a", 1));
			});
			this.orders.await(1);
			assertThat(this.invoices.await(1).get(0).text()).contains("\"b\"");
			application.awaitEmpty();
			assertThat(application.jdbc().sql("SELECT COUNT(*) FROM billing_message").query(Long.class).single())
				.isEqualTo(2);
		}
	}

	@Test
	void aRetentionOfWhatIsCapturedIsRefusedBesideARelayOfTheSameOutboxOnly() {
		assertThatThrownBy(() -> application().with("outbox.named.billing.capture.retention", "1h").start())
			.hasStackTraceContaining("'outbox.named.billing.capture.retention' removes messages")
			.hasStackTraceContaining("Set outbox.named.billing.relay.mode=off");
		application().with("outbox.named.billing.capture.retention", "1h")
			.with("outbox.named.billing.relay.mode", "off")
			.start()
			.close();
	}

	@Test
	void whatIsHandedOverBelongsToTheApplication() {
		try (OutboxApplication application = application().with(Shared.class).start()) {
			Watching watching = application.bean(Watching.class);
			assertThat(watching.initialized).hasValue(1);
			assertThat(watching.started).hasValue(1);
			NamedOutbox billing = application.bean(NamedOutbox.class);
			billing.stop();
			billing.destroy();
			assertThat(watching.isRunning()).isTrue();
			assertThat(watching.destroyed).hasValue(0);
			// Of its own context
			assertThat(watching.events).hasValue(1);
		}
	}

	@Test
	void theOutputOfADrainIsThatOfTheApplication() {
		try (OutboxApplication application = application().with(Output.class)
			.withoutRelay()
			.with("outbox.named.billing.relay.mode", "once")
			.start()) {
			assertThat(application.bean(Output.class).ends).hasValue(1);
		}
	}

	private OutboxApplication started(Class<?> configuration) {
		return application().with(configuration).start();
	}

	private Builder application() {
		return OutboxApplication.on(Servers.database().fresh())
			.sendingTo(this.orders)
			.with("outbox.relay.poll-interval", "50ms")
			.with("outbox.named.billing.ordered", true)
			.with("outbox.named.billing.relay.poll-interval", "50ms")
			.with("outbox.named.billing.jdbc.initialize-schema", "always")
			.with("outbox.named.billing.jdbc.table-prefix", "billing_")
			.with("outbox.named.billing.rabbit.exchange", this.invoices.exchange());
	}

	private static void stopRelays(OutboxApplication application) {
		relays(application).forEach(SmartLifecycle::stop);
	}

	private static void startRelays(OutboxApplication application) {
		relays(application).forEach(SmartLifecycle::start);
	}

	private static List<SmartLifecycle> relays(OutboxApplication application) {
		return List.of(application.bean(OutboxRelay.class),
				application.bean(NamedOutbox.class).beans().getBean(OutboxRelay.class));
	}

	private static String payload(OutboxApplication application, String prefix) {
		return new String(
				application.jdbc().sql("SELECT payload FROM " + prefix + "message").query(byte[].class).single(),
				StandardCharsets.UTF_8);
	}

	@OutboxMessage(value = "invoice.sent", outbox = "billing")
	record InvoiceSent(@PartitionKey String customer) {

	}

	/**
	 * Writes a word before the payload, for the table only.
	 */
	private record Marking(String word) implements PayloadTransformer {

		@Override
		public String encoding() {
			return "marked-" + this.word.trim().replace(' ', '-');
		}

		@Override
		public UndoneBy undoneBy() {
			return UndoneBy.RELAY;
		}

		@Override
		public byte @Nullable [] encode(byte[] payload, PayloadContext context) {
			return (this.word + new String(payload, StandardCharsets.UTF_8)).getBytes(StandardCharsets.UTF_8);
		}

		@Override
		public byte[] decode(byte[] payload, PayloadContext context) {
			return new String(payload, StandardCharsets.UTF_8).substring(this.word.length())
				.getBytes(StandardCharsets.UTF_8);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ForAll {

		@Bean
		PayloadTransformer ofAll() {
			return new Marking("of all");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class InOrder {

		@Bean
		@Order(2)
		PayloadTransformer declaredFirst() {
			return new Marking("second ");
		}

		@Bean
		@Order(1)
		PayloadTransformer declaredSecond() {
			return new Marking("first ");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ForBilling {

		@Bean(defaultCandidate = false)
		@Qualifier("billing")
		PayloadTransformer ofBilling() {
			return new Marking("of billing");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Referring implements PayloadSource {

		@Bean
		PayloadSerializer payloadSerializer(JsonMapper mapper) {
			PayloadSerializer json = new JsonPayloadSerializer(mapper);
			return (event) -> Payload.reference(new String(json.serialize(event).body(), StandardCharsets.UTF_8));
		}

		@Override
		public Map<PayloadReference, LoadedPayload> load(Collection<PayloadReference> references) {
			return references.stream()
				.collect(Collectors.toMap(Function.identity(),
						(reference) -> new LoadedPayload("loaded".getBytes(StandardCharsets.UTF_8), "text/plain")));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Shared {

		@Bean
		Watching watching() {
			return new Watching();
		}

	}

	/**
	 * Counts what is done to it.
	 */
	static final class Watching implements RelayListener, SmartLifecycle, InitializingBean, DisposableBean,
			ApplicationListener<ApplicationContextEvent> {

		private final AtomicInteger initialized = new AtomicInteger();

		private final AtomicInteger started = new AtomicInteger();

		private final AtomicInteger destroyed = new AtomicInteger();

		private final AtomicInteger events = new AtomicInteger();

		private volatile boolean running;

		@Override
		public void afterPropertiesSet() {
			this.initialized.incrementAndGet();
		}

		@Override
		public void start() {
			this.started.incrementAndGet();
			this.running = true;
		}

		@Override
		public void stop() {
			this.running = false;
		}

		@Override
		public boolean isRunning() {
			return this.running;
		}

		@Override
		public void destroy() {
			this.destroyed.incrementAndGet();
		}

		@Override
		public void onApplicationEvent(ApplicationContextEvent event) {
			this.events.incrementAndGet();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Output implements OneShotOutput {

		private final AtomicInteger ends = new AtomicInteger();

		@Bean
		OneShotExit exit() {
			return new OneShotExit((context) -> {
			});
		}

		@Override
		public void batch(Batch batch, int workers) {
		}

		@Override
		public void end(OneShotResult result) {
			this.ends.incrementAndGet();
		}

	}

}
