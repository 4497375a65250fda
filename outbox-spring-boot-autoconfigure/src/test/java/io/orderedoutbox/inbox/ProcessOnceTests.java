/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.orderedoutbox.Outbox;
import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.RequiresRabbitMq;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.ShortWaits;
import io.orderedoutbox.testing.TestQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.amqp.AmqpRejectAndDontRequeueException;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageBuilder;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.core.QueueBuilder;
import org.springframework.amqp.rabbit.annotation.RabbitHandler;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.core.RabbitAdmin;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.scheduling.annotation.Async;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.interceptor.TransactionAspectSupport;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Listeners that process each message once, on a real broker and a real database.
 */
@Timeout(60)
class ProcessOnceTests {

	private final Database database = Servers.database().fresh();

	private final String queue = "outbox-test-" + UUID.randomUUID();

	private OutboxApplication application;

	@BeforeEach
	void createTable() {
		DriverManagerDataSource direct = new DriverManagerDataSource(this.database.jdbcUrl(), this.database.username(),
				this.database.password());
		JdbcClient.create(direct)
			.sql("CREATE TABLE effect (id SERIAL PRIMARY KEY, text VARCHAR(100) NOT NULL)")
			.update();
	}

	@AfterEach
	void stop() throws Exception {
		if (this.application == null) {
			return;
		}
		this.application.close();
		try (Connection connection = TestQueue.connect("outbox-test-cleaning");
				Channel channel = connection.createChannel()) {
			for (String suffix : List.of("", ".dead", ".2")) {
				channel.queueDelete(this.queue + suffix);
			}
		}
	}

	private void start(Class<?> listener, String... properties) {
		OutboxApplication.Builder builder = OutboxApplication.on(this.database)
			.withoutRelay()
			.with("queue", this.queue)
			.with("outbox.inbox.enabled", true)
			.with("outbox.inbox.initialize-schema", "always")
			.with(Topology.class, ShortWaits.class, listener);
		for (String property : properties) {
			String[] words = property.split("=", 2);
			builder.with(words[0], words[1]);
		}
		this.application = builder.start();
	}

	private void deliver(String messageId, String text) {
		Message message = MessageBuilder.withBody(text.getBytes(UTF_8))
			.setContentType("text/plain")
			.setMessageId(messageId)
			.build();
		this.application.bean(RabbitTemplate.class).send("", this.queue, message);
	}

	private List<String> effects() {
		return this.application.jdbc().sql("SELECT text FROM effect ORDER BY id").query(String.class).list();
	}

	private void awaitEffects(String... effects) {
		Awaitility.await().untilAsserted(() -> assertThat(effects()).containsExactly(effects));
	}

	private double count(String consumer, String outcome) {
		return this.application.bean(MeterRegistry.class)
			.counter("outbox.inbox.messages", "consumer", consumer, "outcome", outcome)
			.count();
	}

	@Test
	void aMessageThatIsDeliveredAgainIsAcknowledgedAndNotProcessed() {
		start(Ordinary.class);
		deliver("m1", "a");
		deliver("m1", "a");
		deliver("m2", "b");
		awaitEffects("a", "b");
		assertThat(count("billing", "processed")).isEqualTo(2);
		assertThat(count("billing", "duplicate")).isEqualTo(1);
		Awaitility.await()
			.until(() -> this.application.bean(RabbitAdmin.class).getQueueInfo(this.queue).getMessageCount() == 0);
	}

	@Test
	void aListenerBehindAProxyOfItsInterfaceProcessesOnce() {
		start(BehindInterface.class, "spring.aop.proxy-target-class=false");
		assertThat(AopUtils.isJdkDynamicProxy(this.application.context().getBean(TextListener.class))).isTrue();
		deliver("m1", "a");
		deliver("m1", "a");
		deliver("m2", "b");
		awaitEffects("a", "b");
		assertThat(count("billing", "duplicate")).isEqualTo(1);
	}

	@Test
	void aMethodThatListensTwiceProcessesOnce() {
		start(ListensTwice.class);
		deliver("m1", "a");
		deliver("m1", "a");
		deliver("m2", "b");
		awaitEffects("a", "b");
		assertThat(count("billing", "duplicate")).isEqualTo(1);
	}

	@Test
	void aMethodOneOfWhoseListenersAcknowledgesIsRefused() {
		assertRefused(AcknowledgesOnce.class, "it acknowledges by itself");
	}

	@Test
	void whatTheListenerPublishesBelongsToTheSameTransaction() {
		start(Publishing.class);
		deliver("m1", "fails once");
		deliver("m1", "fails once");
		awaitEffects("fails once");
		Awaitility.await().untilAsserted(() -> assertThat(count("billing", "duplicate")).isEqualTo(1));
		assertThat(this.application.rows()).singleElement()
			.satisfies((row) -> assertThat(row.headers()).contains("\"x-causation-id\":\"m1\""));
		assertThat(count("billing", "failed")).isEqualTo(1);
	}

	@Test
	void anotherAttemptAfterADeadlockGoesThroughTheOtherAspectsAgain() {
		start(VictimOnce.class);
		deliver("m1", "a");
		awaitEffects("a in the transaction of the inbox");
		assertThat(this.application.bean(VictimOnce.class).calls()).isEqualTo(2);
		assertThat(count("billing", "processed")).isEqualTo(1);
		assertThat(count("billing", "failed")).isZero();
	}

	@Test
	void twoConsumersOfOneMessageBothProcessIt() {
		start(TwoConsumers.class);
		deliver("m1", "a");
		this.application.bean(RabbitTemplate.class)
			.send("", this.queue + ".2",
					MessageBuilder.withBody("a".getBytes(UTF_8))
						.setContentType("text/plain")
						.setMessageId("m1")
						.build());
		Awaitility.await()
			.untilAsserted(() -> assertThat(effects()).containsExactlyInAnyOrder("billing a", "shipping a"));
	}

	@Test
	@RequiresRabbitMq
	void aMessageWithoutAnIdGoesToTheDeadLetters() {
		start(Ordinary.class);
		deliver(null, "a");
		deliver("m1", "b");
		awaitEffects("b");
		assertThat(this.application.bean(RabbitTemplate.class).receive(this.queue + ".dead", 5_000)).isNotNull();
		assertThat(count("billing", "rejected")).isEqualTo(1);
	}

	@Test
	@RequiresRabbitMq
	void whatAListenerOfTheInboxThrowsDoesNotHideWhyTheWorkHasFailed() {
		start(RejectsAll.class);
		deliver("m1", "a");
		assertThat(this.application.bean(RabbitTemplate.class).receive(this.queue + ".dead", 5_000)).isNotNull();
	}

	@Test
	void aMessageWithoutAnIdIsProcessedEachTimeIfThatIsWanted() {
		start(Ordinary.class, "outbox.inbox.without-id=process");
		deliver(null, "a");
		deliver(null, "a");
		awaitEffects("a", "a");
	}

	@Test
	void worksWithoutAnOutbox() {
		start(Ordinary.class, "outbox.enabled=false");
		deliver("m1", "a");
		deliver("m1", "a");
		deliver("m2", "b");
		awaitEffects("a", "b");
	}

	@Test
	void aCallWithoutAMessageIsRefused() {
		start(Ordinary.class);
		Ordinary listener = this.application.bean(Ordinary.class);
		assertThatIllegalStateException().isThrownBy(() -> listener.on("a"))
			.withMessageContaining("called without a message");
		assertThat(effects()).isEmpty();
	}

	@Test
	void withoutAnInboxItIsRefused() {
		assertRefused(Ordinary.class, "Set outbox.inbox.enabled=true", "outbox.inbox.enabled=false");
	}

	@Test
	void aNameThatIsNotValidIsRefused() {
		assertRefused(BadName.class, "The name of a consumer");
	}

	@ParameterizedTest
	@ValueSource(classes = { Later.class, LaterStage.class, LaterPublisher.class, LaterOnAnotherThread.class })
	void aMethodThatGoesOnAfterItHasReturnedIsRefused(Class<?> listener) {
		assertRefused(listener, "its work would go on after its transaction");
	}

	@Test
	void aMethodWhoseTypeHidesThatItGoesOnFailsAndLeavesNoRecord() {
		start(HiddenLater.class);
		deliver("m1", "a");
		Awaitility.await().untilAsserted(() -> assertThat(count("billing", "failed")).isPositive());
		assertThat(count("billing", "processed")).isZero();
	}

	@Test
	void aBatchIsRefused() {
		assertRefused(Batch.class, "a batch has no single message id");
	}

	@ParameterizedTest
	@ValueSource(classes = { Hidden.class, Closed.class, Shared.class })
	void aMethodAroundWhichNothingCanBePutIsRefused(Class<?> listener) {
		assertRefused(listener, "private, final or static");
	}

	@ParameterizedTest
	@ValueSource(classes = { ByHand.class, WithChannel.class, Unacknowledged.class })
	void aMethodThatAcknowledgesByItselfIsRefused(Class<?> listener) {
		assertRefused(listener, "acknowledges by itself");
	}

	@ParameterizedTest
	@ValueSource(classes = { Apart.class, Outside.class, Alone.class, AllApart.class })
	void aMethodWhoseTransactionIsAnotherOneIsRefused(Class<?> listener) {
		assertRefused(listener, "takes its work out of the transaction of the record");
	}

	@Test
	void aMethodThatNothingListensWithIsRefused() {
		assertRefused(NoListener.class, "nothing listens with it");
	}

	@Test
	void aSecondCallDuringOneDeliveryIsRefusedAndNotSkipped() {
		start(TwoCalls.class);
		this.application.bean(RabbitTemplate.class)
			.send("", this.queue + ".2",
					MessageBuilder.withBody("a".getBytes(UTF_8))
						.setContentType("text/plain")
						.setMessageId("m1")
						.build());
		Awaitility.await()
			.untilAsserted(() -> assertThat(this.application.bean(TwoCalls.Caller.class).refusal.get())
				.contains("called twice for one delivery"));
	}

	@Test
	void thePartsOfABatchOfAProducerAreMessagesOfTheirOwn() {
		start(Ordinary.class);
		for (int delivery = 0; delivery < 2; delivery++) {
			Message batch = MessageBuilder.withBody("\0\0\0\1a\0\0\0\1b\0\0\0\1c".getBytes(UTF_8))
				.setContentType("text/plain")
				.setHeader(MessageProperties.SPRING_BATCH_FORMAT, MessageProperties.BATCH_FORMAT_LENGTH_HEADER4)
				.setMessageId("m1")
				.build();
			this.application.bean(RabbitTemplate.class).send("", this.queue, batch);
		}
		Awaitility.await().untilAsserted(() -> assertThat(count("billing", "duplicate")).isEqualTo(3));
		assertThat(effects()).containsExactly("a", "b", "c");
	}

	private void assertRefused(Class<?> listener, String text, String... properties) {
		assertThatExceptionOfType(Exception.class).isThrownBy(() -> start(listener, properties))
			.havingRootCause()
			.isInstanceOf(OutboxConfigurationException.class)
			.withMessageContaining(text);
	}

	@Configuration(proxyBeanMethods = false)
	static class Topology {

		@Bean
		Queue queue(@Value("${queue}") String name) {
			return QueueBuilder.durable(name).deadLetterExchange("").deadLetterRoutingKey(name + ".dead").build();
		}

		@Bean
		Queue secondQueue(@Value("${queue}") String name) {
			return QueueBuilder.durable(name + ".2").build();
		}

		@Bean
		Queue deadLetters(@Value("${queue}") String name) {
			return QueueBuilder.durable(name + ".dead").build();
		}

		@Bean
		MeterRegistry meters() {
			return new SimpleMeterRegistry();
		}

	}

	static class Ordinary {

		private final JdbcClient jdbc;

		Ordinary(JdbcClient jdbc) {
			this.jdbc = jdbc;
		}

		@ProcessOnce("billing")
		@RabbitListener(queues = "${queue}")
		void on(String text) {
			this.jdbc.sql("INSERT INTO effect (text) VALUES (?)").param(text).update();
		}

	}

	interface TextListener {

		void on(String text);

	}

	static class BehindInterface implements TextListener {

		private final JdbcClient jdbc;

		BehindInterface(JdbcClient jdbc) {
			this.jdbc = jdbc;
		}

		@Override
		@ProcessOnce("billing")
		@Transactional
		@RabbitListener(queues = "${queue}")
		public void on(String text) {
			this.jdbc.sql("INSERT INTO effect (text) VALUES (?)").param(text).update();
		}

	}

	@ProcessOnce("billing")
	static class ListensTwice {

		private final JdbcClient jdbc;

		ListensTwice(JdbcClient jdbc) {
			this.jdbc = jdbc;
		}

		@RabbitListener(queues = "${queue}")
		@RabbitListener(queues = "${queue}.2")
		void on(String text) {
			this.jdbc.sql("INSERT INTO effect (text) VALUES (?)").param(text).update();
		}

	}

	static class AcknowledgesOnce {

		@ProcessOnce("billing")
		@RabbitListener(queues = "${queue}")
		@RabbitListener(queues = "${queue}.2", ackMode = "MANUAL")
		void on(String text) {
		}

	}

	static class Publishing {

		private final AtomicInteger calls = new AtomicInteger();

		private final JdbcClient jdbc;

		private final Outbox outbox;

		Publishing(JdbcClient jdbc, Outbox outbox) {
			this.jdbc = jdbc;
			this.outbox = outbox;
		}

		@ProcessOnce("billing")
		@Transactional
		@RabbitListener(queues = "${queue}")
		public void on(String text) {
			this.jdbc.sql("INSERT INTO effect (text) VALUES (?)").param(text).update();
			this.outbox.publish(new OrderPlaced("a", 1));
			if (this.calls.incrementAndGet() == 1) {
				throw new IllegalStateException("no");
			}
		}

	}

	static class RejectsAll implements InboxListener {

		@ProcessOnce("billing")
		@RabbitListener(queues = "${queue}")
		public void on(String text) {
			throw new AmqpRejectAndDontRequeueException("malformed");
		}

		@Override
		public void delivered(String consumer, InboxOutcome outcome) {
			throw new IllegalStateException("by itself");
		}

	}

	static class Apart {

		@ProcessOnce("billing")
		@Transactional(propagation = Propagation.REQUIRES_NEW)
		@RabbitListener(queues = "${queue}")
		public void on(String text) {
		}

	}

	static class Outside {

		@ProcessOnce("billing")
		@Transactional(propagation = Propagation.NOT_SUPPORTED)
		@RabbitListener(queues = "${queue}")
		public void on(String text) {
		}

	}

	static class Alone {

		@ProcessOnce("billing")
		@Transactional(propagation = Propagation.NEVER)
		@RabbitListener(queues = "${queue}")
		public void on(String text) {
		}

	}

	@Transactional(propagation = Propagation.REQUIRES_NEW)
	static class AllApart {

		@ProcessOnce("billing")
		@RabbitListener(queues = "${queue}")
		public void on(String text) {
		}

	}

	static class VictimOnce {

		private final AtomicInteger calls = new AtomicInteger();

		private final JdbcClient jdbc;

		VictimOnce(JdbcClient jdbc) {
			this.jdbc = jdbc;
		}

		@ProcessOnce("billing")
		@Transactional
		@RabbitListener(queues = "${queue}")
		public void on(String text) {
			// Fails without the aspect of the annotation
			TransactionStatus transaction = TransactionAspectSupport.currentTransactionStatus();
			this.jdbc.sql("INSERT INTO effect (text) VALUES (?)")
				.param(text + (transaction.isNewTransaction() ? "" : " in the transaction of the inbox"))
				.update();
			if (this.calls.incrementAndGet() == 1) {
				throw new CannotAcquireLockException("as the victim of a deadlock");
			}
		}

		public int calls() {
			return this.calls.get();
		}

	}

	@ProcessOnce("billing")
	@RabbitListener(queues = "${queue}")
	static class Billing {

		private final JdbcClient jdbc;

		Billing(JdbcClient jdbc) {
			this.jdbc = jdbc;
		}

		@RabbitHandler
		void on(String text) {
			write(this.jdbc, "billing " + text);
		}

		static void write(JdbcClient jdbc, String text) {
			jdbc.sql("INSERT INTO effect (text) VALUES (?)").param(text).update();
		}

	}

	static class Shipping {

		private final JdbcClient jdbc;

		Shipping(JdbcClient jdbc) {
			this.jdbc = jdbc;
		}

		@ProcessOnce("shipping")
		@RabbitListener(queues = "${queue}.2")
		void on(String text) {
			Billing.write(this.jdbc, "shipping " + text);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class TwoConsumers {

		@Bean
		Billing billing(JdbcClient jdbc) {
			return new Billing(jdbc);
		}

		@Bean
		Shipping shipping(JdbcClient jdbc) {
			return new Shipping(jdbc);
		}

	}

	static class BadName {

		@ProcessOnce("bill ing")
		@RabbitListener(queues = "${queue}")
		void on(String text) {
		}

	}

	static class Later {

		@ProcessOnce("billing")
		@RabbitListener(queues = "${queue}")
		Future<String> on(String text) {
			return CompletableFuture.completedFuture(text);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class TwoCalls {

		@Bean
		Ordinary ordinary(JdbcClient jdbc) {
			return new Ordinary(jdbc);
		}

		@Bean
		Caller caller(Ordinary ordinary) {
			return new Caller(ordinary);
		}

		static class Caller {

			private final AtomicReference<String> refusal = new AtomicReference<>("");

			private final Ordinary ordinary;

			Caller(Ordinary ordinary) {
				this.ordinary = ordinary;
			}

			@RabbitListener(queues = "${queue}.2")
			void on(String text) {
				this.ordinary.on(text);
				try {
					this.ordinary.on(text + " again");
				}
				catch (IllegalStateException ex) {
					this.refusal.set(ex.getMessage());
				}
			}

		}

	}

	static class LaterStage {

		@ProcessOnce("billing")
		@RabbitListener(queues = "${queue}")
		CompletionStage<String> on(String text) {
			return CompletableFuture.completedStage(text);
		}

	}

	static class LaterPublisher {

		@ProcessOnce("billing")
		@RabbitListener(queues = "${queue}")
		Flow.Publisher<String> on(String text) {
			return new SubmissionPublisher<>();
		}

	}

	static class LaterOnAnotherThread {

		@Async
		@ProcessOnce("billing")
		@RabbitListener(queues = "${queue}")
		public void on(String text) {
		}

	}

	static class HiddenLater {

		@ProcessOnce("billing")
		@RabbitListener(queues = "${queue}")
		Object on(String text) {
			return new CompletableFuture<String>();
		}

	}

	static class Hidden {

		@ProcessOnce("billing")
		@RabbitListener(queues = "${queue}")
		private void on(String text) {
		}

	}

	static class Closed {

		@ProcessOnce("billing")
		@RabbitListener(queues = "${queue}")
		final void on(String text) {
		}

	}

	static class Shared {

		@ProcessOnce("billing")
		@RabbitListener(queues = "${queue}")
		static void on(String text) {
		}

	}

	static class ByHand {

		@ProcessOnce("billing")
		@RabbitListener(queues = "${queue}", ackMode = "MANUAL")
		void on(String text) {
		}

	}

	static class Unacknowledged {

		@ProcessOnce("billing")
		@RabbitListener(queues = "${queue}", ackMode = "NONE")
		void on(String text) {
		}

	}

	static class WithChannel {

		@ProcessOnce("billing")
		@RabbitListener(queues = "${queue}")
		void on(String text, Channel channel) {
		}

	}

	static class NoListener {

		@ProcessOnce("billing")
		void on(String text) {
		}

	}

	static class Batch {

		@ProcessOnce("billing")
		@RabbitListener(queues = "${queue}")
		void on(List<String> texts) {
		}

	}

}
