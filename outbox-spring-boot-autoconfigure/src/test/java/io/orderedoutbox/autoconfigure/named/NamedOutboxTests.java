/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.named;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.zaxxer.hikari.HikariDataSource;
import io.orderedoutbox.MissingPartitionKeyException;
import io.orderedoutbox.Outbox;
import io.orderedoutbox.OutboxMessage;
import io.orderedoutbox.OutboxPublicationException;
import io.orderedoutbox.PartitionKey;
import io.orderedoutbox.once.OneShotExit;
import io.orderedoutbox.once.SeveralOneShots;
import io.orderedoutbox.publish.Route;
import io.orderedoutbox.publish.RoutingStrategy;
import io.orderedoutbox.send.MessageSender;
import io.orderedoutbox.send.Outcome;
import io.orderedoutbox.relay.OutboxRelay;
import io.orderedoutbox.relay.RelayState;
import io.orderedoutbox.send.SendingChannel;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.store.StoredMessage;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.OutboxApplication.Builder;
import io.orderedoutbox.testing.TestQueue;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests for an application with two outboxes in one database.
 */
class NamedOutboxTests {

	private final TestQueue orders = TestQueue.forEverything();

	private final TestQueue invoices = TestQueue.forEverything();

	private final Database database = Servers.database().fresh();

	@AfterEach
	void close() {
		this.orders.close();
		this.invoices.close();
	}

	@Test
	void eachOutboxRelaysItsOwnEventsInItsOwnOrderMode() {
		try (OutboxApplication application = application().start()) {
			IntStream.range(0, 20)
				.forEach((version) -> application.publish(new OrderPlaced("a", version), new InvoiceSent(version)));
			this.orders.await(20);
			this.invoices.await(20);
			assertThat(this.orders.versionsOf("a")).isEqualTo(IntStream.range(0, 20).boxed().toList());
			assertThat(this.orders.arrivals()).allMatch((arrival) -> arrival.routingKey().equals("order.placed"));
			assertThat(this.invoices.arrivals()).allMatch((arrival) -> arrival.routingKey().equals("invoice.sent"));
			Awaitility.await().until(() -> depth(application, "outbox_") + depth(application, "billing_") == 0);
		}
	}

	@Test
	void anEventIsStoredInTheOutboxThatItsTypeNames() {
		try (OutboxApplication application = application().with("outbox.named.billing.relay.mode", "off")
			.withoutRelay()
			.start()) {
			application.publish(new OrderPlaced("a", 1), new InvoiceSent(1), new InvoiceSent(2));
			assertThat(depth(application, "outbox_")).isOne();
			assertThat(depth(application, "billing_")).isEqualTo(2);
		}
	}

	@Test
	void theOutboxOfAnEventIsKnownByTheNameOfAPackage() {
		try (OutboxApplication application = application().with("outbox.named.billing.relay.mode", "off")
			.with("outbox.named.billing.event-packages", "io.orderedoutbox,com.example")
			.withoutRelay()
			.start()) {
			application.publish(new OrderPlaced("a", 1), new SaysDefault("a"));
			assertThat(depth(application, "outbox_")).isOne();
			assertThat(depth(application, "billing_")).isOne();
		}
	}

	@Test
	void anOutboxIsInjectedByItsName() {
		try (OutboxApplication application = application().with("outbox.named.billing.relay.mode", "off")
			.withoutRelay()
			.start()) {
			Outbox billing = billing(application);
			application.transaction().executeWithoutResult((status) -> {
				billing.publish(new OrderPlaced("a", 1));
				application.outbox().publish(new OrderPlaced("a", 2));
			});
			assertThat(depth(application, "outbox_")).isOne();
			assertThat(depth(application, "billing_")).isOne();
		}
	}

	@Test
	void aNameThatNoOutboxHasIsRefusedAtTheCall() {
		try (OutboxApplication application = application().start()) {
			assertThatExceptionOfType(OutboxPublicationException.class)
				.isThrownBy(() -> application.publish(new Object[] { new Misspelt("a") }))
				.withMessageContaining(Misspelt.class.getName())
				.withMessageContaining("'biling'")
				.withMessageContaining("default, billing");
		}
	}

	@Test
	void aTransactionThatRollsBackStoresNothingInEither() {
		try (OutboxApplication application = application().with("outbox.named.billing.relay.mode", "off")
			.withoutRelay()
			.start()) {
			assertThatIllegalStateException()
				.isThrownBy(() -> application.transaction().executeWithoutResult((status) -> {
					application.context().publishEvent(new OrderPlaced("a", 1));
					application.context().publishEvent(new InvoiceSent(1));
					throw new IllegalStateException("as the test wants it");
				}));
			assertThat(depth(application, "outbox_") + depth(application, "billing_")).isZero();
		}
	}

	@Test
	void aPauseOfOneLeavesTheOther() {
		try (OutboxApplication application = application().start()) {
			OutboxRelay relay = named(application).beans().getBean(OutboxRelay.class);
			relay.pause();
			Awaitility.await().until(() -> relay.status().state() == RelayState.PAUSED);
			application.publish(new OrderPlaced("a", 1), new InvoiceSent(1));
			this.orders.await(1);
			application.awaitEmpty();
			assertThat(depth(application, "billing_")).isOne();
			assertThat(application.bean(OutboxRelay.class).status().state()).isEqualTo(RelayState.RUNNING);
			relay.resume();
			this.invoices.await(1);
		}
	}

	@Test
	void itIsRefusedWhereOnlyTheOrderedOneNeedsAKey() {
		try (OutboxApplication application = application().with("outbox.ordered", false)
			.with("outbox.named.billing.ordered", true)
			.start()) {
			application.publish(new Object[] { new WithoutKey(1) });
			assertThatExceptionOfType(MissingPartitionKeyException.class)
				.isThrownBy(() -> application.publish(new Object[] { new InvoiceWithoutKey(1) }));
		}
	}

	@Test
	void withoutADefaultOutboxThereAreOnlyThoseWithNames() {
		try (OutboxApplication application = application().with("outbox.enabled", false).start()) {
			application.publish(new OrderPlaced("a", 1), new InvoiceSent(1));
			this.invoices.await(2);
			assertThat(application.context().containsBean("orderedOutbox")).isFalse();
			assertThat(application.jdbc()
				.sql("SELECT COUNT(*) FROM information_schema.tables WHERE table_name = 'outbox_message' AND table_schema = "
						+ this.database.choose("DATABASE()", "CURRENT_SCHEMA()"))
				.query(Long.class)
				.single()).isZero();
		}
	}

	@Test
	void anOutboxThatIsSwitchedOffTakesItsEventsAndStoresNothing() {
		try (OutboxApplication application = application().with("outbox.named.billing.enabled", false)
			.withoutRelay()
			.start()) {
			application.publish(new OrderPlaced("a", 1), new InvoiceSent(1));
			assertThat(depth(application, "outbox_")).isOne();
			assertThat(application.context().getBeanNamesForType(Outbox.class)).doesNotContain("orderedOutbox.billing");
		}
	}

	@Test
	void whatIsQualifiedWithTheNameIsForThatOutboxAlone() {
		try (OutboxApplication application = application().with(OwnRoutes.class).start()) {
			application.publish(new OrderPlaced("a", 1), new InvoiceSent(1));
			assertThat(this.orders.await(1)).allMatch((arrival) -> arrival.routingKey().equals("order.placed"));
			assertThat(this.invoices.await(1)).allMatch((arrival) -> arrival.routingKey().equals("of-billing"));
		}
	}

	@Test
	void anOutboxWithANameIsDrainedOnce() {
		try (OutboxApplication application = application().with("outbox.named.billing.relay.mode", "off")
			.withoutRelay()
			.start()) {
			application.publish(new OrderPlaced("a", 1), new InvoiceSent(1), new InvoiceSent(2));
		}
		try (OutboxApplication application = application().withoutRelay()
			.with(NoExit.class)
			.with("outbox.named.billing.relay.mode", "once")
			.start()) {
			assertThat(depth(application, "billing_")).isZero();
			assertThat(depth(application, "outbox_")).isOne();
			this.invoices.await(2);
			assertThat(application.bean(SeveralOneShots.class).getExitCode()).isZero();
		}
		assertThatThrownBy(
				() -> application().with(NoExit.class).with("outbox.named.billing.relay.mode", "once").start())
			.hasStackTraceContaining("The outbox 'default' is relayed all the time, and 'billing' once");
		assertThatThrownBy(() -> application().with(NoExit.class).with("outbox.relay.mode", "once").start())
			.hasStackTraceContaining("The outbox 'billing' is relayed all the time, and 'default' once");
	}

	@Test
	void theSameTablesTwiceAreRefused() {
		assertThatThrownBy(() -> application().with("outbox.named.billing.jdbc.table-prefix", "outbox_").start())
			.hasStackTraceContaining("The outboxes 'default' and 'billing' would work on the same tables")
			.hasStackTraceContaining("outbox.named.billing.jdbc.table-prefix=outbox_billing_");
		assertThatThrownBy(() -> application().with(SecondPool.class)
			.with("outbox.named.billing.data-source", "secondPool")
			.with("outbox.named.billing.jdbc.table-prefix", "outbox_")
			.start()).hasStackTraceContaining("The outboxes 'default' and 'billing' would work on the same tables");
	}

	@Test
	void anOutboxThatCannotStartLeavesNothingOfTheOthers() {
		assertThatThrownBy(() -> application().with("outbox.named.zeta.jdbc.initialize-schema", "never")
			.with("outbox.named.zeta.jdbc.table-prefix", "zeta_")
			.start()).hasStackTraceContaining("The outbox 'zeta' cannot be used.");
		Awaitility.await()
			.atMost(Duration.ofSeconds(10))
			.untilAsserted(() -> assertThat(threads()).noneMatch((name) -> name.startsWith("outbox-billing")
					|| name.startsWith("outbox-relay") || name.startsWith("outbox-zeta")));
	}

	@Test
	void whatIsInFlightIsAwaitedBeforeTheApplicationClosesItsDataSource() {
		try (OutboxApplication application = application().with(SlowSender.class).start()) {
			application.publish(new OrderPlaced("a", 1), new InvoiceSent(1));
			SlowSender sender = application.bean(SlowSender.class);
			Awaitility.await().until(() -> sender.sent.get() == 2);
			application.context()
				.addApplicationListener((ApplicationListener<ContextClosedEvent>) (event) -> CompletableFuture
					.delayedExecutor(500, TimeUnit.MILLISECONDS)
					.execute(sender.answers::countDown));
		}
		JdbcClient jdbc = JdbcClient.create(new DriverManagerDataSource(this.database.jdbcUrl(),
				this.database.username(), this.database.password()));
		assertThat(jdbc.sql("SELECT (SELECT COUNT(*) FROM outbox_message) + (SELECT COUNT(*) FROM billing_message)")
			.query(Long.class)
			.single()).isZero();
	}

	@Test
	void anEventOfATransactionThatCommitsWhileTheApplicationClosesIsStored() {
		try (OutboxApplication application = application().withoutRelay()
			.with("outbox.named.billing.relay.mode", "off")
			.start()) {
			application.transaction().executeWithoutResult((status) -> {
				named(application).stop();
				named(application).destroy();
				application.context().publishEvent(new InvoiceSent(1));
			});
			assertThat(depth(application, "billing_")).isOne();
		}
	}

	@Test
	void theSameTablesTwiceAreRefusedAlsoWhereBeansAreMadeWhenTheyAreNeeded() {
		assertThatThrownBy(() -> application().with("spring.main.lazy-initialization", true)
			.with("outbox.named.billing.jdbc.table-prefix", "OUTBOX_")
			.start()).hasStackTraceContaining("The outboxes 'default' and 'billing' would work on the same tables");
	}

	@Test
	void onlyOneOfThemCanVerifyTheTransactionsOfADataSource() {
		assertThatThrownBy(() -> application().with("outbox.jdbc.verify-transaction", true)
			.with("outbox.named.billing.jdbc.verify-transaction", true)
			.start()).hasStackTraceContaining("The outboxes 'default' and 'billing' both verify the transactions");
	}

	@Test
	void aFailureAtTheStartNamesTheOutboxAndItsProperties() {
		assertThatThrownBy(() -> application().with("outbox.named.billing.jdbc.initialize-schema", "never").start())
			.hasStackTraceContaining("The outbox 'billing' cannot be used.")
			.hasStackTraceContaining("outbox.named.billing.jdbc.initialize-schema=always");
		assertThatThrownBy(() -> application().with("outbox.named.billing.data-source", "nowhere").start())
			.hasStackTraceContaining("The outbox 'billing' needs the DataSource 'nowhere'")
			.hasStackTraceContaining("outbox.named.billing.data-source");
		assertThatThrownBy(() -> application().with("outbox.named.billing.relay.workers", 0).start())
			.hasStackTraceContaining("outbox.named.billing.relay");
		assertThatThrownBy(() -> application().with("outbox.named.Billing.ordered", true).start())
			.hasStackTraceContaining("gives an outbox the name 'Billing'");
	}

	@Test
	void threadsAndLogLinesCarryTheNameAndNoneIsLeft() {
		ListAppender<ILoggingEvent> lines = new ListAppender<>();
		Logger logger = (Logger) LoggerFactory.getLogger(OutboxRelay.class);
		lines.start();
		try (OutboxApplication application = application().start()) {
			// The start resets the loggers
			logger.addAppender(lines);
			assertThat(threads()).contains("outbox-relay-1", "outbox-billing-relay-1",
					"outbox-billing-instance-heartbeat");
			application.publish(new OrderPlaced("a", 1), new InvoiceSent(1));
			this.orders.await(1);
			this.invoices.await(1);
		}
		finally {
			logger.detachAppender(lines);
		}
		assertThat(lines.list).filteredOn((line) -> line.getMessage().equals("Outbox relay stopped"))
			.extracting((line) -> String.valueOf(line.getMDCPropertyMap().get("outbox")))
			.containsExactlyInAnyOrder("null", "billing");
		Awaitility.await()
			.atMost(Duration.ofSeconds(10))
			.untilAsserted(() -> assertThat(threads()).noneMatch((name) -> name.startsWith("outbox-billing")));
	}

	private static List<String> threads() {
		return Thread.getAllStackTraces().keySet().stream().map(Thread::getName).toList();
	}

	private Builder application() {
		return OutboxApplication.on(this.database)
			.sendingTo(this.orders)
			.with("outbox.named.billing.jdbc.initialize-schema", "always")
			.with("outbox.named.billing.jdbc.table-prefix", "billing_")
			.with("outbox.named.billing.rabbit.exchange", this.invoices.exchange());
	}

	private static NamedOutbox named(OutboxApplication application) {
		return application.bean(NamedOutbox.class);
	}

	private static Outbox billing(OutboxApplication application) {
		return BeanFactoryAnnotationUtils.qualifiedBeanOfType(application.context().getBeanFactory(), Outbox.class,
				"billing");
	}

	private static long depth(OutboxApplication application, String prefix) {
		return application.jdbc().sql("SELECT COUNT(*) FROM " + prefix + "message").query(Long.class).single();
	}

	@OutboxMessage(value = "invoice.sent", outbox = "billing")
	record InvoiceSent(int number) {

	}

	@OutboxMessage(value = "parcel.sent", outbox = "shipping")
	record ParcelSent(int number) {

	}

	@OutboxMessage(value = "invoice.without.key", outbox = "billing")
	record InvoiceWithoutKey(int number) {

	}

	@OutboxMessage("without.key")
	record WithoutKey(int number) {

	}

	@OutboxMessage(outbox = "default")
	record SaysDefault(@PartitionKey String key) {

	}

	@OutboxMessage(outbox = "biling")
	record Misspelt(@PartitionKey String key) {

	}

	/**
	 * Sends to a broker that confirms nothing until it is told to.
	 */
	static class SlowSender implements MessageSender {

		private final AtomicInteger sent = new AtomicInteger();

		private final CountDownLatch answers = new CountDownLatch(1);

		@Override
		public void withChannel(Consumer<SendingChannel> work) {
			work.accept(new SlowChannel());
		}

		private final class SlowChannel implements SendingChannel {

			private final Queue<Outcome> outcomes = new ArrayDeque<>();

			@Override
			public void send(StoredMessage message) {
				this.outcomes.add(Outcome.published(message.id()));
				SlowSender.this.sent.incrementAndGet();
			}

			@Override
			public @Nullable Outcome nextOutcome(Duration timeout) {
				try {
					return SlowSender.this.answers.await(timeout.toMillis(), TimeUnit.MILLISECONDS)
							? this.outcomes.poll() : null;
				}
				catch (InterruptedException ex) {
					Thread.currentThread().interrupt();
					return null;
				}
			}

		}

	}

	@Configuration(proxyBeanMethods = false)
	static class SecondPool {

		@Bean(defaultCandidate = false)
		HikariDataSource secondPool(Environment environment) {
			return DataSourceBuilder.create()
				.type(HikariDataSource.class)
				.url(environment.getRequiredProperty("spring.datasource.url"))
				.username(environment.getRequiredProperty("spring.datasource.username"))
				.password(environment.getRequiredProperty("spring.datasource.password"))
				.build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class NoExit {

		@Bean
		OneShotExit exit() {
			return new OneShotExit((context) -> {
			});
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnRoutes {

		@Bean(defaultCandidate = false)
		@Qualifier("billing")
		RoutingStrategy ofBilling(@Value("${outbox.named.billing.rabbit.exchange}") String exchange) {
			return (publication) -> Route.to(exchange, "of-billing");
		}

	}

}
