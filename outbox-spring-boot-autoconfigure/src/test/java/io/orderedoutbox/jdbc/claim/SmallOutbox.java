package io.orderedoutbox.jdbc.claim;

import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

import io.orderedoutbox.jdbc.JdbcOutboxStore;
import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.jdbc.OutboxTables;
import io.orderedoutbox.jdbc.Partitions;
import io.orderedoutbox.store.Message;
import io.orderedoutbox.store.OutboxStore;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * An outbox of few partitions.
 */
final class SmallOutbox implements AutoCloseable {

	static final Partitions PARTITIONS = new Partitions(4, Partitions::crc32);

	private final OutboxTables tables = new OutboxTables();

	private final TransactionTemplate transaction = new TransactionTemplate(
			new JdbcTransactionManager(this.tables.writer()));

	SmallOutbox() {
		jdbc("DELETE FROM outbox_partition WHERE id >= " + PARTITIONS.count()).update();
		jdbc("DELETE FROM outbox_stripe WHERE id >= " + PARTITIONS.count()).update();
	}

	OutboxTables tables() {
		return this.tables;
	}

	TransactionTemplate transaction() {
		return this.transaction;
	}

	private JdbcClient.StatementSpec jdbc(String sql) {
		return this.tables.jdbc().sql(sql);
	}

	/**
	 * Begin anew.
	 */
	void clear() {
		Stream.of("message", "parked", "dead_letter", "archive")
			.forEach((table) -> jdbc("DELETE FROM outbox_" + table).update());
		jdbc("UPDATE outbox_partition SET retry_at = NULL").update();
	}

	OutboxStore writing(boolean ordered) {
		return new JdbcOutboxStore(new OutboxDatabase(this.tables.writer(), "outbox_", false, PARTITIONS), ordered);
	}

	/**
	 * Let everything parked be due whose partition no claim owns: an operator would wait
	 * for it.
	 * @return the messages at the head of what is due now
	 */
	List<String> makeDue() {
		return this.transaction.execute((status) -> {
			List<Long> free = jdbc("SELECT id FROM outbox_partition FOR UPDATE SKIP LOCKED").query(Long.class).list();
			List<String> heads = jdbc("""
					SELECT m.message_id, k.partition_id FROM outbox_parked k JOIN outbox_message m ON m.lane = k.lane
					AND m.id = (SELECT MIN(n.id) FROM outbox_message n WHERE n.lane = k.lane)""")
				.query((row, index) -> free.contains(row.getLong(2)) ? Stream.of(row.getString(1))
						: Stream.<String>of())
				.list()
				.stream()
				.flatMap((head) -> head)
				.toList();
			for (long partition : free) {
				jdbc("UPDATE outbox_parked SET available_at = UTC_TIMESTAMP(6) WHERE partition_id = ?").param(partition)
					.update();
				jdbc("UPDATE outbox_partition SET retry_at = "
						+ "(SELECT MIN(available_at) FROM outbox_parked WHERE partition_id = ?) WHERE id = ?")
					.params(partition, partition)
					.update();
			}
			return heads;
		});
	}

	/**
	 * Whether a message is in the outbox.
	 */
	boolean has(Message message) {
		return jdbc("SELECT COUNT(*) FROM outbox_message WHERE message_id = ?").param(message.messageId().toString())
			.query(Long.class)
			.single() > 0;
	}

	/**
	 * The messages that a table holds.
	 */
	List<UUID> messages(String table) {
		return jdbc("SELECT message_id FROM outbox_" + table).query(String.class)
			.list()
			.stream()
			.map(UUID::fromString)
			.toList();
	}

	long count(String table) {
		return jdbc("SELECT COUNT(*) FROM outbox_" + table).query(Long.class).single();
	}

	@Override
	public void close() {
		this.tables.close();
	}

}
