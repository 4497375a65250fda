/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

import io.orderedoutbox.Destination;
import io.orderedoutbox.OutboxPublicationException;
import io.orderedoutbox.store.Message;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.support.SimpleTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * The buffer of one transaction.
 */
@Tag("unit")
class OutboxTransactionTests {

	private final AtomicInteger rollbacks = new AtomicInteger();

	private final AtomicInteger wakeUps = new AtomicInteger();

	private final TransactionExecution execution = new SimpleTransactionStatus();

	private final List<String> stored = new ArrayList<>();

	private final OutboxTransaction transaction = begin();

	@Test
	void aCommitWakesTheRelayOnlyIfThereIsSomethingToRelay() {
		this.transaction.afterCommit();
		assertThat(this.wakeUps).hasValue(0);
		add("a");
		this.transaction.write();
		this.transaction.afterCommit();
		assertThat(this.wakeUps).hasValue(1);
	}

	@Test
	void whatComesWithTheLastFlushIsWrittenAfterItAndWhatComesLaterAtOnce() {
		Flush flush = new Flush();
		add("a");
		this.transaction.await(flush);
		this.transaction.write();
		add("b");
		add("c");
		assertThat(this.stored).containsExactly("[a]");
		flush.pending = false;
		this.transaction.write();
		add("d");
		assertThat(this.stored).containsExactly("[a]", "[b, c]", "[d]");
	}

	@Test
	void transactionThatEndsWithTheLastFlushRefuses() {
		Flush flush = new Flush();
		this.transaction.await(flush);
		assertThatCode(() -> this.transaction.requireWritable(String.class)).doesNotThrowAnyException();
		flush.tooLate = true;
		assertThatExceptionOfType(OutboxPublicationException.class)
			.isThrownBy(() -> this.transaction.requireWritable(String.class));
	}

	@Test
	void aCommitWithoutAMessageIsReported() {
		add("a");
		assertThatIllegalStateException().isThrownBy(this.transaction::afterCommit).withMessageContaining("without 1");
	}

	@Test
	void whatTheStorePublishesIsWrittenToo() {
		OutboxTransaction[] outer = new OutboxTransaction[1];
		Flush flush = new Flush();
		outer[0] = new OutboxTransaction(this, this.execution, (messages) -> {
			this.stored.add(namesOf(messages).toString());
			if (this.stored.size() == 1) {
				outer[0].add(message("of the store"));
			}
			return Set.of();
		}, this.rollbacks::incrementAndGet, (partitions) -> this.wakeUps.incrementAndGet());
		outer[0].add(message("a"));
		outer[0].await(flush);
		outer[0].write();
		outer[0].write();
		assertThat(this.stored).containsExactly("[a]", "[of the store]");
	}

	@Test
	void savepointRollbackCutsToWhereItWasMade() {
		add("a");
		this.transaction.savepoint("first");
		add("b");
		this.transaction.savepoint("second");
		add("c");
		this.transaction.savepointRollback("second");
		assertThat(names()).containsExactly("a", "b");
		this.transaction.savepointRollback("first");
		assertThat(names()).containsExactly("a");
	}

	@Test
	void rollbackToTheOuterSavepointCutsWhatTheInnerHadKept() {
		this.transaction.savepoint("outer");
		add("a");
		this.transaction.savepoint("inner");
		add("b");
		this.transaction.savepointRollback("outer");
		assertThat(names()).isEmpty();
		add("c");
		this.transaction.savepointRollback("inner");
		assertThat(names()).as("a savepoint beyond the end cuts nothing").containsExactly("c");
	}

	@Test
	void savepointsAreToldApartByIdentity() {
		String one = new String("savepoint");
		String other = new String("savepoint");
		this.transaction.savepoint(one);
		add("a");
		this.transaction.savepoint(other);
		this.transaction.savepointRollback(other);
		assertThat(names()).containsExactly("a");
		this.transaction.savepointRollback(one);
		assertThat(names()).isEmpty();
	}

	@Test
	void unknownSavepointCutsEverything() {
		add("a");
		add("b");
		this.transaction.savepointRollback("never seen");
		assertThat(names()).isEmpty();
	}

	@Test
	void closedTransactionRefusesAlsoWhenItIsEmpty() {
		assertThatCode(() -> this.transaction.requireWritable(String.class)).doesNotThrowAnyException();
		this.transaction.close();
		assertThatExceptionOfType(OutboxPublicationException.class)
			.isThrownBy(() -> this.transaction.requireWritable(String.class))
			.withMessageContaining("java.lang.String")
			.withMessageContaining("REQUIRES_NEW");
	}

	@Test
	void completionClosesIt() {
		this.transaction.afterCompletion(TransactionSynchronization.STATUS_COMMITTED);
		assertThatExceptionOfType(OutboxPublicationException.class)
			.isThrownBy(() -> this.transaction.requireWritable(String.class));
	}

	@Test
	void completionWithMessagesThatWereNeverWrittenRollsBack() {
		add("a");
		this.transaction.afterCompletion(TransactionSynchronization.STATUS_UNKNOWN);
		assertThat(this.rollbacks).hasValue(1);
	}

	@Test
	void completionWithoutMessagesOrAfterTheyWereWrittenLeavesTheTransactionAlone() {
		this.transaction.afterCompletion(TransactionSynchronization.STATUS_UNKNOWN);
		OutboxTransaction failed = begin();
		failed.add(message("a"));
		failed.close();
		failed.afterCompletion(TransactionSynchronization.STATUS_UNKNOWN);
		OutboxTransaction flushing = begin();
		flushing.add(message("a"));
		flushing.await(new Flush());
		flushing.afterCompletion(TransactionSynchronization.STATUS_UNKNOWN);
		assertThat(this.rollbacks).hasValue(0);
	}

	@Test
	void belongsToItsOwnExecutionOnly() {
		assertThat(this.transaction.belongsTo(this.execution)).isTrue();
		assertThat(this.transaction.belongsTo(new SimpleTransactionStatus())).isFalse();
	}

	private OutboxTransaction begin() {
		return new OutboxTransaction(this, this.execution, (messages) -> {
			this.stored.add(namesOf(messages).toString());
			return Set.of();
		}, this.rollbacks::incrementAndGet, (partitions) -> this.wakeUps.incrementAndGet());
	}

	private void add(String name) {
		this.transaction.add(message(name));
	}

	private List<String> names() {
		return namesOf(this.transaction.messages());
	}

	private static List<String> namesOf(List<Message> messages) {
		return messages.stream().map(Message::name).toList();
	}

	private static Message message(String name) {
		return new Message(new UUID(0, 0), name, "", new Destination("", ""), "text/plain", new byte[0], Map.of());
	}

	private static final class Flush implements LastFlush {

		private boolean pending = true;

		private boolean tooLate;

		@Override
		public boolean isPending() {
			return this.pending;
		}

		@Override
		public boolean isTooLate() {
			return this.tooLate;
		}

	}

}
