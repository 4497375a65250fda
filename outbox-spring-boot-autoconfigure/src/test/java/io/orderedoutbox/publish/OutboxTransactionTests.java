package io.orderedoutbox.publish;

import java.util.List;
import java.util.Map;
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

/**
 * The buffer of one transaction.
 */
@Tag("unit")
class OutboxTransactionTests {

	private final AtomicInteger rollbacks = new AtomicInteger();

	private final AtomicInteger wakeUps = new AtomicInteger();

	private final TransactionExecution execution = new SimpleTransactionStatus();

	private final OutboxTransaction transaction = new OutboxTransaction(this, this.execution,
			this.rollbacks::incrementAndGet, (partitions) -> this.wakeUps.incrementAndGet());

	@Test
	void aCommitWakesTheRelayOnlyIfThereIsSomethingToRelay() {
		this.transaction.afterCommit();
		assertThat(this.wakeUps).hasValue(0);
		add("a");
		this.transaction.afterCommit();
		assertThat(this.wakeUps).hasValue(1);
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
		OutboxTransaction written = new OutboxTransaction(this, this.execution, this.rollbacks::incrementAndGet,
				(partitions) -> this.wakeUps.incrementAndGet());
		written.add(message("a"));
		written.close();
		written.afterCompletion(TransactionSynchronization.STATUS_UNKNOWN);
		assertThat(this.rollbacks).hasValue(0);
	}

	@Test
	void belongsToItsOwnExecutionOnly() {
		assertThat(this.transaction.belongsTo(this.execution)).isTrue();
		assertThat(this.transaction.belongsTo(new SimpleTransactionStatus())).isFalse();
	}

	private void add(String name) {
		this.transaction.add(message(name));
	}

	private List<String> names() {
		return this.transaction.messages().stream().map(Message::name).toList();
	}

	private static Message message(String name) {
		return new Message(new UUID(0, 0), name, "", new Destination("", ""), "text/plain", new byte[0], Map.of());
	}

}
