/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.listener;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.GetResponse;
import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.RewritingDataSource;
import io.orderedoutbox.testing.UnderPool;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.amqp.AmqpRejectAndDontRequeueException;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageListenerContainer;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Dead letters that the later messages of their key follow, on a real RabbitMQ.
 */
@ExtendWith(OutputCaptureExtension.class)
class DeadLetterSequenceTests extends AbstractShardListenerTests {

	private final AtomicBoolean isMended = new AtomicBoolean();

	@Test
	void whatIsBehindADeadLetterFollowsItAndOtherKeysGoOn() throws Exception {
		AtomicInteger attempts = new AtomicInteger();
		work = (message) -> {
			if (text(message).equals("a-1")) {
				attempts.incrementAndGet();
				throw new IllegalStateException("outer", new IllegalArgumentException("no such product"));
			}
		};
		start(sequences().with("outbox.rabbit.shards.retry.max-attempts", 3));
		publishAll("a", 1, 3);
		publishAll("b", 1, 3);
		awaitProcessed(3);
		awaitDeadLetters(3);
		assertThat(PROCESSED).containsExactlyElementsOf(texts("b", 1, 3));
		assertThat(attempts).hasValue(3);
		assertThat(retries()).isEqualTo(new QueueRetries(this.queue, 0, 0, 2, 3));
		awaitEmpty();
		assertDeadLetter("a-1", "no such product");
		assertDeadLetter("a-2", "It is behind a dead letter");
		assertDeadLetter("a-3", "It is behind a dead letter");
	}

	@Test
	void withAPoolThatDoesNotCommitByItselfTheyFollowAndAreReplayedAsWell() throws Exception {
		failUntilMended("a-1");
		start(sequences().with("spring.datasource.hikari.auto-commit", false));
		publishAll("a", 1, 3);
		awaitDeadLetters(3);
		assertThat(PROCESSED).isEmpty();
		assertThat(rows()).isEqualTo(3);
		this.isMended.set(true);
		assertThat(replay()).isEqualTo(3);
		assertThat(PROCESSED).containsExactlyElementsOf(texts("a", 1, 3));
		assertThat(rows()).isZero();
		publish("a", "a-4");
		awaitProcessed(4);
	}

	@Test
	void withAPoolThatDoesNotCommitByItselfOneCanBeDiscarded() throws Exception {
		failUntilMended("a-1");
		start(sequences().with("spring.datasource.hikari.auto-commit", false));
		publish("a", "a-1");
		awaitDeadLetters(1);
		assertThat(this.application.bean(DeadLetterSequences.class).discard(this.name, "id-of-a-1")).isOne();
		assertThat(rows()).isZero();
	}

	@Test
	void behindOneWithoutAKeyOnlyThoseWithoutAKeyFollow() throws Exception {
		failUntilMended("u-1");
		start(sequences());
		publishWithoutKey("u-1");
		awaitDeadLetters(1);
		publish("a", "a-1");
		publishWithoutKey("u-2");
		awaitProcessed(1);
		awaitDeadLetters(2);
		assertThat(PROCESSED).containsExactly("a-1");
		this.isMended.set(true);
		assertThat(replay()).isEqualTo(2);
		assertThat(PROCESSED).containsExactly("a-1", "u-1", "u-2");
	}

	private void publishWithoutKey(String text) throws Exception {
		this.channel.basicPublish(this.name, "7",
				new BasicProperties.Builder().messageId("id-of-" + text).type("order.placed").deliveryMode(2).build(),
				text.getBytes(StandardCharsets.UTF_8));
		this.channel.waitForConfirmsOrDie(10_000);
	}

	@Test
	void withoutKeysWhatIsBehindItInItsPartitionFollows() throws Exception {
		failUntilMended("a-1");
		start(sequences().with("outbox.rabbit.shards.order", "partition"));
		publish("a", "a-1");
		publish("b", "b-1");
		awaitDeadLetters(2);
		this.isMended.set(true);
		assertThat(replay()).isEqualTo(2);
		assertThat(PROCESSED).containsExactly("a-1", "b-1");
	}

	@Test
	void whenAllWereReplayedInTheirOrderTheKeyGoesOn() throws Exception {
		failUntilMended("a-1");
		Set<String> ids = ConcurrentHashMap.newKeySet();
		start(sequences());
		publishAll("a", 1, MANY);
		awaitDeadLetters(MANY);
		this.isMended.set(true);
		work = (message) -> {
			ids.add(message.getMessageProperties().getMessageId());
			assertThat(message.getMessageProperties().getHeaders()).containsOnlyKeys("x-partition-key");
			assertThat(message.getMessageProperties().getReceivedRoutingKey()).isEqualTo("7");
		};
		assertThat(replay()).isEqualTo(MANY);
		assertThat(PROCESSED).containsExactlyElementsOf(texts("a", 1, MANY));
		assertThat(ids).hasSize(MANY).contains("id-of-a-1");
		publish("a", "a-" + (MANY + 1));
		awaitProcessed(MANY + 1);
		assertThat(PROCESSED).containsExactlyElementsOf(texts("a", 1, MANY + 1));
		assertThat(deadLetters()).isZero();
		assertThat(rows()).isZero();
	}

	@Test
	void whatFailsAgainStaysInItsPlaceAndOtherKeysAreReplayed() throws Exception {
		failUntilMended("a-1", "b-1");
		start(sequences());
		publish("a", "a-1");
		publish("b", "b-1");
		awaitDeadLetters(2);
		publish("a", "a-2");
		publish("b", "b-2");
		awaitDeadLetters(4);
		AtomicInteger attempts = new AtomicInteger();
		work = (message) -> {
			if (text(message).equals("a-1")) {
				attempts.incrementAndGet();
				throw new IllegalStateException("still malformed");
			}
		};
		assertThat(replay()).isEqualTo(2);
		assertThat(PROCESSED).containsExactly("b-1", "b-2");
		// Once each time that the queue was looked through
		assertThat(attempts).hasValue(2);
		failUntilMended("a-1");
		publish("a", "a-3");
		awaitDeadLetters(3);
		assertThat(replay()).isZero();
		this.isMended.set(true);
		assertThat(replay()).isEqualTo(3);
		assertThat(PROCESSED).containsExactly("b-1", "b-2", "a-1", "a-2", "a-3");
	}

	@Test
	void anotherInstanceKnowsWhatFollows() throws Exception {
		failUntilMended("a-1");
		start(sequences());
		publish("a", "a-1");
		awaitDeadLetters(1);
		this.application.close();
		start(sequences());
		publish("a", "a-2");
		publish("b", "b-1");
		awaitProcessed(1);
		awaitDeadLetters(2);
		assertThat(PROCESSED).containsExactly("b-1");
		this.isMended.set(true);
		assertThat(replay()).isEqualTo(2);
		assertThat(PROCESSED).containsExactly("b-1", "a-1", "a-2");
	}

	@Test
	void whatComesWhileTheLastDeadLetterIsProcessedIsProcessedAfterIt() throws Exception {
		failUntilMended("a-1");
		start(sequences());
		publish("a", "a-1");
		awaitDeadLetters(1);
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch mayEnd = new CountDownLatch(1);
		work = (message) -> {
			if (text(message).equals("a-1")) {
				begun.countDown();
				await(mayEnd);
			}
		};
		Thread replay = new Thread(this::replay);
		replay.start();
		await(begun);
		publish("a", "a-2");
		Awaitility.await().until(() -> rows() == 2);
		mayEnd.countDown();
		replay.join();
		assertThat(PROCESSED).containsExactly("a-1", "a-2");
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 20 })
	void whatComesWhileDeadLettersAreReplayedIsProcessedBehindThem(int pauseMillis) throws Exception {
		failUntilMended("a-1", "b-1", "c-1");
		start(sequences());
		for (String key : List.of("a", "b", "c")) {
			publish(key, key + "-1");
		}
		awaitDeadLetters(3);
		this.isMended.set(true);
		int last = 10 * MANY;
		Thread publisher = new Thread(() -> {
			for (int number = 2; number <= last; number++) {
				for (String key : List.of("a", "b", "c")) {
					publishUnchecked(key, key + "-" + number);
				}
				pause(pauseMillis);
			}
		});
		publisher.start();
		while (publisher.isAlive()) {
			replay();
		}
		Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> {
			replay();
			return PROCESSED.size() >= 3 * last;
		});
		for (String key : List.of("a", "b", "c")) {
			assertThat(processed(key)).containsExactlyElementsOf(texts(key, 1, last));
		}
		assertThat(rows()).isZero();
	}

	// The row is there then, and its message comes once more
	@Test
	void aDeadLetterThatTheBrokerHasNotTakenIsNotTakenForProcessed() throws Exception {
		failUntilMended("a-1");
		startWithoutDeadLetters(sequences().with("outbox.rabbit.shards.retry.initial-interval", "50ms")
			.with("outbox.rabbit.shards.retry.max-interval", "50ms"));
		publishAll("a", 1, 3);
		Awaitility.await().until(() -> rows() == 1);
		this.application.close();
		assertThat(this.channel.messageCount(this.queue)).isEqualTo(3);
		start(sequences());
		awaitDeadLetters(3);
		this.isMended.set(true);
		assertThat(replay()).isEqualTo(3);
		assertThat(PROCESSED).containsExactlyElementsOf(texts("a", 1, 3));
	}

	@Test
	void whatIsKnownAsADeadLetterIsNotProcessedBeforeItIsOne() throws Exception {
		failUntilMended("a-1");
		startWithoutDeadLetters(sequences().with("outbox.rabbit.shards.retry.initial-interval", "50ms")
			.with("outbox.rabbit.shards.retry.max-interval", "50ms"));
		publishAll("a", 1, 3);
		Awaitility.await().until(() -> rows() == 1);
		this.isMended.set(true);
		publish("b", "b-1");
		awaitProcessed(1);
		this.channel.queueDeclare(this.shards.deadLetters(), true, false, false, Map.of());
		awaitDeadLetters(3);
		assertThat(replay()).isEqualTo(3);
		assertThat(PROCESSED).containsExactly("b-1", "a-1", "a-2", "a-3");
		assertThat(rows()).isZero();
	}

	@Test
	void aDeadLetterWhoseReasonIsLostSaysSo() throws Exception {
		failUntilMended("a-1");
		startWithoutDeadLetters(sequences().with("outbox.rabbit.shards.retry.max-interval", "50ms"));
		publish("a", "a-1");
		publish("a", "a-2");
		Awaitility.await().until(() -> rows() == 1);
		this.application.close();
		start(sequences());
		awaitDeadLetters(2);
		assertDeadLetter("a-1", "It was given up before, by a consumer that was lost before it had sent it here");
		assertDeadLetter("a-2", "It is behind a dead letter");
	}

	@Test
	void withoutAConnectionToTheDatabaseWhatFollowsWaitsAndIsSeen() throws Exception {
		failUntilMended("a-1");
		start(sequences().with("spring.datasource.hikari.maximum-pool-size", 2)
			.with("outbox.rabbit.shards.retry.initial-interval", "200ms")
			.with("spring.datasource.hikari.connection-timeout", 250));
		publish("a", "a-1");
		awaitDeadLetters(1);
		DataSource dataSource = this.application.bean(DataSource.class);
		try (java.sql.Connection one = dataSource.getConnection();
				java.sql.Connection two = dataSource.getConnection()) {
			assertThat(one).isNotEqualTo(two);
			publish("a", "a-2");
			Awaitility.await().until(() -> retries().heldKeys() == 1);
		}
		awaitDeadLetters(2);
		assertThat(retries().heldKeys()).isZero();
	}

	@Test
	void withoutTheDatabaseNothingPassesADeadLetter() throws Exception {
		failUntilMended("a-1");
		start(sequences().with("outbox.rabbit.shards.retry.initial-interval", "50ms")
			.with("outbox.rabbit.shards.retry.max-interval", "50ms"));
		publish("a", "a-1");
		awaitDeadLetters(1);
		this.application.jdbc().sql("ALTER TABLE inbox_dead_letter RENAME TO away").update();
		publish("a", "a-2");
		publish("b", "b-1");
		Awaitility.await().until(() -> retries().heldKeys() > 0);
		this.application.jdbc().sql("ALTER TABLE away RENAME TO inbox_dead_letter").update();
		awaitDeadLetters(2);
		awaitProcessed(1);
		assertThat(PROCESSED).containsExactly("b-1");
	}

	@Test
	void aDeadLetterThatIsDiscardedLetsTheOthersBeReplayed() throws Exception {
		failUntilMended("a-1");
		start(sequences());
		publishAll("a", 1, 3);
		awaitDeadLetters(3);
		DeadLetterReplay replay = this.application.bean(DeadLetterReplay.class);
		assertThat(replay.discard(this.shards, "id-of-a-9")).isFalse();
		assertThat(replay.discard(this.shards, "id-of-a-1")).isTrue();
		assertThat(replay()).isEqualTo(2);
		publish("a", "a-4");
		awaitProcessed(3);
		assertThat(PROCESSED).containsExactlyElementsOf(texts("a", 2, 4));
	}

	// Its rollback would take back the effects, and the broker would have forgotten the
	// messages
	@ParameterizedTest
	@ValueSource(strings = { "dead-letter", "dead-letter-sequence" })
	void inATransactionOfItsCallerAReplayIsRefused(String onExhausted) throws Exception {
		failUntilMended("a-1");
		start(sequences().with("outbox.rabbit.shards.retry.on-exhausted", onExhausted));
		publish("a", "a-1");
		awaitDeadLetters(1);
		this.isMended.set(true);
		DeadLetterReplay replay = this.application.bean(DeadLetterReplay.class);
		DeadLetterVerbs verbs = this.application.bean(DeadLetterVerbs.class);
		this.application.transaction().executeWithoutResult((status) -> {
			assertRefused(() -> replay.run(this.shards));
			assertRefused(() -> replay.discard(this.shards, "id-of-a-1"));
			assertRefused(() -> verbs.replay(this.shards));
			assertRefused(() -> verbs.discard(this.shards, "id-of-a-1"));
			status.setRollbackOnly();
		});
		assertThat(PROCESSED).isEmpty();
		assertThat(deadLetters()).isOne();
		this.application.transaction()
			.executeWithoutResult(
					(status) -> suspended().executeWithoutResult((inner) -> assertThat(replay()).isOne()));
		awaitProcessed(1);
		assertThat(deadLetters()).isZero();
	}

	private TransactionTemplate suspended() {
		TransactionTemplate template = new TransactionTemplate(this.application.bean(PlatformTransactionManager.class));
		template.setPropagationBehavior(TransactionDefinition.PROPAGATION_NOT_SUPPORTED);
		return template;
	}

	private static void assertRefused(ThrowingCallable call) {
		assertThatExceptionOfType(IllegalTransactionStateException.class).isThrownBy(call)
			.withMessageContaining("outside of a transaction")
			.withMessageContaining("Propagation.NOT_SUPPORTED");
	}

	// Somebody has removed it from the queue
	@Test
	void aDeadLetterThatIsGoneCanBeDiscardedToo() throws Exception {
		failUntilMended("a-1");
		start(sequences());
		publishAll("a", 1, 2);
		awaitDeadLetters(2);
		assertDeadLetter("a-1", "malformed");
		assertThat(replay()).isZero();
		assertThat(this.application.bean(DeadLetterReplay.class).discard(this.shards, "id-of-a-1")).isTrue();
		assertThat(replay()).isOne();
		assertThat(PROCESSED).containsExactly("a-2");
	}

	// The consumer is between its two steps, and has stored the row
	@Test
	void aDeadLetterThatIsOnItsWayIsLeft(CapturedOutput output) throws Exception {
		failUntilMended("a-1");
		start(sequences());
		publish("a", "a-1");
		awaitDeadLetters(1);
		this.isMended.set(true);
		assertThat(this.application.bean(DeadLetterSequences.class).addBehind(this.name, "key a", "id-of-a-2"))
			.isTrue();
		assertThat(replayed()).isEqualTo(new ReplayResult(1, 1));
		assertThat(replayed()).isEqualTo(new ReplayResult(0, 1));
		assertThat(output).doesNotContain("is not in the queue of dead letters");
	}

	// Another consumer has processed it meanwhile
	@Test
	void aDeadLetterThatHasNotComeForLongIsNamedAndDiscarded(CapturedOutput output) throws Exception {
		failUntilMended("b-1");
		start(sequences());
		this.application.bean(DeadLetterSequences.class).add(this.name, "key a", "id-of-a-1");
		this.application.jdbc()
			.sql("UPDATE inbox_dead_letter SET created_at = created_at - INTERVAL '2' MINUTE")
			.update();
		publish("a", "a-2");
		publish("b", "b-1");
		awaitDeadLetters(2);
		assertThat(replayed()).isEqualTo(new ReplayResult(0, 3));
		assertThat(output).containsOnlyOnce("is not in the queue of dead letters")
			.contains("Dead letter 'id-of-a-1' of '%s' is not in the queue".formatted(this.name));
		assertThat(this.application.bean(DeadLetterReplay.class).discard(this.shards, "id-of-a-1")).isTrue();
		this.isMended.set(true);
		assertThat(replayed()).isEqualTo(new ReplayResult(2, 0));
		assertThat(output).containsOnlyOnce("is not in the queue of dead letters");
	}

	// The broker lets another consumer have all of them, and says how many are ready
	@Test
	void whatCouldNotAllBeLookedAtIsNeitherDiscardedNorMissing(CapturedOutput output) throws Exception {
		failUntilMended("a-1");
		startWithoutDeadLetters(sequences());
		this.channel.queueDeclare(this.shards.deadLetters(), true, false, false,
				Map.of("x-queue-type", "quorum", "x-single-active-consumer", true));
		publishAll("a", 1, 3);
		awaitDeadLetters(3);
		this.application.jdbc()
			.sql("UPDATE inbox_dead_letter SET created_at = created_at - INTERVAL '2' MINUTE")
			.update();
		Channel active = this.connection.createChannel();
		active.basicQos(1);
		active.basicConsume(this.shards.deadLetters(), false, new DefaultConsumer(active));
		awaitDeadLetters(2);
		DeadLetterVerbs verbs = this.application.bean(DeadLetterVerbs.class);
		assertThatExceptionOfType(ReplayFailedException.class).isThrownBy(() -> verbs.discard(this.shards, "id-of-a-1"))
			.withMessageContaining("2")
			.withMessageContaining("again");
		assertThat(rows()).isEqualTo(3);
		assertThat(replayed()).isEqualTo(new ReplayResult(0, 3));
		assertThat(output).doesNotContain("is not in the queue of dead letters");
		active.close();
		awaitDeadLetters(3);
		assertThat(verbs.discard(this.shards, "id-of-a-1")).isTrue();
		assertThat(rows()).isEqualTo(2);
		assertThat(replayed()).isEqualTo(new ReplayResult(2, 0));
	}

	// One is far behind all those of another key, which fail
	@ParameterizedTest
	@CsvSource({ "partition, partition-key", "partition-key, partition" })
	void nothingPassesADeadLetterFromBeforeTheOrderWasChanged(String before, String after) throws Exception {
		failUntilMended("a-1");
		start(sequencesWith(Listener.class).with("outbox.rabbit.shards.order", before));
		publishAll("a", 1, 2);
		awaitDeadLetters(2);
		this.application.close();
		start(sequencesWith(Listener.class).with("outbox.rabbit.shards.order", after));
		publish("a", "a-3");
		awaitDeadLetters(3);
		this.isMended.set(true);
		assertThat(replay()).isEqualTo(3);
		assertThat(rows()).isZero();
		publish("a", "a-4");
		awaitProcessed(4);
		assertThat(PROCESSED).containsExactlyElementsOf(texts("a", 1, 4));
	}

	@Test
	void aReplayDoesNotNeedTheThreadsOfOtherListeners() throws Exception {
		String other = this.name + ".other";
		this.channel.queueDeclare(other, true, false, false, Map.of());
		CountDownLatch busy = new CountDownLatch(Busy.CONSUMERS);
		CountDownLatch gate = new CountDownLatch(1);
		failUntilMended("a-1");
		Busy.work = () -> {
			busy.countDown();
			await(gate);
		};
		try {
			start(sequencesWith(Listener.class).with(Busy.class)
				.with("test.other", other)
				.with("spring.rabbitmq.listener.type", "direct")
				.with("spring.rabbitmq.listener.direct.consumers-per-queue", Busy.CONSUMERS)
				.with("spring.rabbitmq.listener.direct.prefetch", 1));
			publishAll("a", 1, 3);
			awaitDeadLetters(3);
			this.isMended.set(true);
			for (int number = 0; number < Busy.CONSUMERS; number++) {
				this.channel.basicPublish("", other, null, new byte[0]);
			}
			// As many as there are threads
			Awaitility.await().until(() -> this.channel.messageCount(other) == 0 && busy.getCount() < Busy.CONSUMERS);
			assertThat(replay()).isEqualTo(3);
			assertThat(PROCESSED).containsExactlyElementsOf(texts("a", 1, 3));
		}
		finally {
			gate.countDown();
			this.channel.queueDelete(other);
		}
	}

	@Test
	@Tag("thorough")
	void manyThatFailHideNone() throws Exception {
		int many = 600;
		failUntilMended("a-1", "b-1");
		start(sequences());
		publishAll("a", 1, many);
		awaitDeadLetters(many);
		publish("b", "b-1");
		awaitDeadLetters(many + 1);
		failUntilMended("a-1");
		assertThat(replay()).isOne();
		this.isMended.set(true);
		assertThat(replay()).isEqualTo(many);
		assertThat(processed("a")).containsExactlyElementsOf(texts("a", 1, many));
		assertThat(deadLetters()).isZero();
	}

	@Test
	void whileAnotherInstanceReplaysThisOneDoesNothing() throws Exception {
		failUntilMended("a-1");
		start(sequences());
		publish("a", "a-1");
		awaitDeadLetters(1);
		this.isMended.set(true);
		String lock = this.shards.deadLetters() + ".replay";
		this.channel.queueDeclare(lock, false, true, true, Map.of());
		assertThat(replay()).isZero();
		assertThat(replay()).isZero();
		assertThatIllegalStateException()
			.isThrownBy(() -> this.application.bean(DeadLetterReplay.class).discard(this.shards, "id-of-a-1"))
			.withMessageContaining("Another instance replays");
		assertThat(rows()).isOne();
		this.channel.queueDelete(lock);
		assertThat(replay()).isOne();
		this.channel.queueDeclare(lock, false, true, true, Map.of());
		this.channel.queueDelete(lock);
	}

	@Test
	void afterAReplayThatHasFailedOthersMayReplay() throws Exception {
		failUntilMended("a-1");
		start(sequences());
		publish("a", "a-1");
		awaitDeadLetters(1);
		this.isMended.set(true);
		this.application.jdbc().sql("ALTER TABLE inbox_dead_letter RENAME TO away").update();
		assertThatExceptionOfType(DataAccessException.class).isThrownBy(this::replay);
		this.channel.queueDeclare(this.shards.deadLetters() + ".replay", false, true, true, Map.of());
	}

	@Test
	void whatWasProcessedIsToldThoughTheTableDoesNotSayWhatIsLeft(CapturedOutput output) throws Exception {
		failUntilMended("a-1");
		start(sequences().with(Uncounted.class));
		publish("a", "a-1");
		awaitDeadLetters(1);
		this.isMended.set(true);
		ReplayResult result = this.application.bean(DeadLetterVerbs.class).replay(this.shards);
		assertThat(result.replayed()).isOne();
		assertThat(result.left()).isNull();
		assertThat(PROCESSED).containsExactly("a-1");
		assertThat(output).contains("1 message(s), it is not known how many are left");
	}

	@Test
	void twoReplaysAtTheSameTimeKeepTheOrder() throws Exception {
		failUntilMended("a-1", "b-1");
		start(sequences());
		publishAll("a", 1, MANY);
		publishAll("b", 1, MANY);
		awaitDeadLetters(2 * MANY);
		this.isMended.set(true);
		List<Thread> replays = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			Thread replay = new Thread(this::replay);
			replay.start();
			replays.add(replay);
		}
		for (Thread replay : replays) {
			replay.join();
		}
		assertThat(processed("a")).containsExactlyElementsOf(texts("a", 1, MANY));
		assertThat(processed("b")).containsExactlyElementsOf(texts("b", 1, MANY));
	}

	// As two replays leave them that end at the same time
	@Test
	void theirOrderIsKeptWhateverTheirOrderInTheQueue() throws Exception {
		failUntilMended("a-1");
		start(sequences());
		publishAll("a", 1, 5);
		awaitDeadLetters(5);
		List<Channel> channels = new ArrayList<>();
		for (int i = 0; i < 5; i++) {
			Channel taking = this.connection.createChannel();
			taking.basicGet(this.shards.deadLetters(), false);
			channels.add(0, taking);
		}
		for (Channel taking : channels) {
			taking.close();
		}
		awaitDeadLetters(5);
		this.isMended.set(true);
		assertThat(replay()).isEqualTo(5);
		assertThat(PROCESSED).containsExactlyElementsOf(texts("a", 1, 5));
	}

	@Test
	void eachIsProcessedOnceThoughItsAcknowledgementIsLost() throws Exception {
		failUntilMended("a-1");
		start(sequencesWith(Once.class));
		containers().forEach(MessageListenerContainer::start);
		publishAll("a", 1, 2);
		awaitDeadLetters(2);
		GetResponse dead = this.channel.basicGet(this.shards.deadLetters(), false);
		this.channel.basicPublish("", this.shards.deadLetters(), dead.getProps(), dead.getBody());
		this.channel.basicNack(dead.getEnvelope().getDeliveryTag(), false, true);
		awaitDeadLetters(3);
		this.isMended.set(true);
		List<String> effects = new ArrayList<>();
		work = (message) -> effects.add(text(message));
		assertThat(replay()).isEqualTo(3);
		assertThat(effects).containsExactly("a-1", "a-2");
	}

	@Test
	void messagesWithoutAnIdAreToldByTheirBodies() throws Exception {
		failUntilMended("a-1");
		start(sequences());
		publishWithoutId("a", "a-1", Map.of());
		publishWithoutId("a", "a-2", Map.of());
		awaitDeadLetters(2);
		this.isMended.set(true);
		assertThat(replay()).isEqualTo(2);
		assertThat(PROCESSED).containsExactly("a-1", "a-2");
	}

	@Test
	void messagesWithoutAnIdAndWithTheSameBodyAreToldByTheirKeys(CapturedOutput output) throws Exception {
		failUntilMended("same");
		start(sequences());
		publishWithoutId("a", "same", Map.of());
		publishWithoutId("b", "same", Map.of());
		awaitDeadLetters(2);
		publishWithoutId("b", "b-2", Map.of());
		awaitDeadLetters(3);
		String id = this.application.bean(DeadLetterSequences.class).first(this.name, "key a");
		assertThat(output).contains("Message '%s' of queue '%s' is a dead letter".formatted(id, this.queue));
		assertThat(this.application.bean(DeadLetterReplay.class).discard(this.shards, id)).isTrue();
		assertThat(deadLetters()).isEqualTo(2);
		assertThat(rows()).isEqualTo(2);
		this.isMended.set(true);
		assertThat(replay()).isEqualTo(2);
		assertThat(PROCESSED).containsExactly("same", "b-2");
	}

	// Those of a key in both of them would come in any order
	@Test
	void messagesWithoutAnIdAreSentAgainToEachOfTheirKeys() throws Exception {
		failUntilMended("same");
		start(sequences().with("outbox.rabbit.shards.retry.on-exhausted", "dead-letter"));
		publishWithoutId("a", "same", Map.of());
		publishWithoutId("b", "same", Map.of());
		awaitDeadLetters(2);
		this.isMended.set(true);
		assertThat(replay()).isEqualTo(2);
		awaitProcessed(2);
	}

	@ParameterizedTest
	@ValueSource(strings = { "cloudEvents_", "cloudEvents:" })
	void cloudEventsAreToldByTheirSourcesAndIds(String prefix) throws Exception {
		failUntilMended("same");
		start(sequences());
		publishWithoutId("a", "same", cloudEvent(prefix, "1"));
		publishWithoutId("a", "same", cloudEvent(prefix, "2"));
		awaitDeadLetters(2);
		DeadLetterReplay replay = this.application.bean(DeadLetterReplay.class);
		assertThat(replay.discard(this.shards, "/orders 2")).isTrue();
		assertThat(deadLetters()).isOne();
		assertThat(this.application.bean(DeadLetterSequences.class).first(this.name, "key a")).isEqualTo("/orders 1");
		publishWithoutId("a", "same", cloudEvent(prefix, "3"));
		awaitDeadLetters(2);
		this.isMended.set(true);
		assertThat(replay()).isEqualTo(2);
		assertThat(PROCESSED).containsExactly("same", "same");
	}

	@Test
	void cloudEventsAreSentAgainByTheirSourcesAndIds() throws Exception {
		failUntilMended("same");
		start(sequences().with("outbox.rabbit.shards.retry.on-exhausted", "dead-letter"));
		publishWithoutId("a", "same", cloudEvent("cloudEvents_", "1"));
		publishWithoutId("a", "same", cloudEvent("cloudEvents_", "2"));
		awaitDeadLetters(2);
		this.isMended.set(true);
		assertThat(replay()).isEqualTo(2);
		awaitProcessed(2);
	}

	// It cannot be read, and is no message to stumble over
	@Test
	void aStructuredCloudEventThatIsNoneIsToldByItsBody() throws Exception {
		failUntilMended("a-1");
		start(sequences());
		this.channel.basicPublish(this.name, "7",
				new BasicProperties.Builder().contentType("application/cloudevents+json")
					.headers(Map.of("x-partition-key", "a"))
					.build(),
				"a-1".getBytes(StandardCharsets.UTF_8));
		awaitDeadLetters(1);
		this.isMended.set(true);
		assertThat(replay()).isOne();
		assertThat(PROCESSED).containsExactly("a-1");
		assertThat(rows()).isZero();
	}

	private static Map<String, Object> cloudEvent(String prefix, String id) {
		return Map.of(prefix + "specversion", "1.0", prefix + "type", "order.placed", prefix + "source", "/orders",
				prefix + "id", id);
	}

	private void publishWithoutId(String key, String text, Map<String, Object> headers) throws Exception {
		Map<String, Object> all = new HashMap<>(headers);
		all.put("x-partition-key", key);
		this.channel.basicPublish(this.name, "7", new BasicProperties.Builder().headers(all).build(),
				text.getBytes(StandardCharsets.UTF_8));
		this.channel.waitForConfirmsOrDie(10_000);
	}

	@ParameterizedTest
	@ValueSource(strings = { "Ä ", "a\u0000b", "😀" })
	void keysThatAreOddAreKeysAsWell(String odd) throws Exception {
		String key = odd + "x".repeat(400);
		failUntilMended("a-1");
		start(sequences());
		publish(key, "a-1");
		publish(key + "y", "b-1");
		publish(key, "a-2");
		awaitProcessed(1);
		awaitDeadLetters(2);
		assertThat(PROCESSED).containsExactly("b-1");
		this.application.close();
		start(sequences());
		publish(key, "a-3");
		awaitDeadLetters(3);
		this.isMended.set(true);
		assertThat(replay()).isEqualTo(3);
		assertThat(processed("a")).containsExactlyElementsOf(texts("a", 1, 3));
	}

	@Test
	void withoutAnInboxItIsRefused() {
		assertThatException()
			.isThrownBy(
					() -> application().with("outbox.rabbit.shards.retry.on-exhausted", "dead-letter-sequence").start())
			.havingRootCause()
			.isInstanceOf(OutboxConfigurationException.class)
			.withMessageContaining("there is no inbox");
	}

	@Test
	void withoutTheTableItIsRefused() {
		start(sequences());
		this.application.jdbc().sql("DROP TABLE inbox_dead_letter").update();
		this.application.close();
		assertThatException().isThrownBy(() -> sequences().with("outbox.inbox.initialize-schema", "never").start())
			.withStackTraceContaining("The table of dead letters, 'inbox_dead_letter', is missing");
	}

	private void failUntilMended(String... texts) {
		work = (message) -> {
			if (!this.isMended.get() && Set.of(texts).contains(text(message))) {
				throw new AmqpRejectAndDontRequeueException("malformed");
			}
		};
	}

	private void publishAll(String key, int first, int last) throws Exception {
		for (int number = first; number <= last; number++) {
			publish(key, key + "-" + number);
		}
	}

	private void publishUnchecked(String key, String text) {
		try {
			publish(key, text);
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	// Messages come at this rate: nothing is awaited
	private static void pause(int millis) {
		try {
			Thread.sleep(millis);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private int replay() {
		return this.application.bean(DeadLetterReplay.class).run(this.shards);
	}

	private ReplayResult replayed() {
		return this.application.bean(DeadLetterReplay.class).replay(this.shards, true);
	}

	private void awaitDeadLetters(int count) {
		Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> deadLetters() == count);
	}

	private long deadLetters() throws Exception {
		return this.channel.messageCount(this.shards.deadLetters());
	}

	private int rows() {
		return this.application.jdbc().sql("SELECT COUNT(*) FROM inbox_dead_letter").query(Integer.class).single();
	}

	/**
	 * A database that fails as soon as dead letters are counted.
	 */
	@Configuration(proxyBeanMethods = false)
	static class Uncounted {

		@Bean
		static BeanPostProcessor refusingPoolPostProcessor() {
			return new UnderPool((connections) -> new RewritingDataSource(connections,
					(sql) -> sql.replace("COUNT(DISTINCT ordering_key)", "no_such_column")));
		}

	}

	static class Busy {

		private static final int CONSUMERS = 24;

		private static volatile Runnable work;

		@RabbitListener(queues = "${test.other}", containerFactory = "rabbitListenerContainerFactory")
		void on(Message message) {
			work.run();
		}

	}

	private OutboxApplication.Builder sequences() {
		return sequencesWith(Listener.class);
	}

	private OutboxApplication.Builder sequencesWith(Class<?> listener) {
		return without().with("outbox.inbox.enabled", true)
			.with("outbox.inbox.initialize-schema", "always")
			.with("outbox.rabbit.shards.retry.initial-interval", "10ms")
			.with("outbox.rabbit.shards.retry.on-exhausted", "dead-letter-sequence")
			.with(listener);
	}

}
