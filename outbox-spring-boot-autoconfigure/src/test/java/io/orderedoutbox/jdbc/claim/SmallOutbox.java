/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.claim;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.orderedoutbox.jdbc.JdbcOutboxStore;
import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.jdbc.OutboxTables;
import io.orderedoutbox.jdbc.Partitions;
import io.orderedoutbox.jdbc.dialect.SqlFragments;
import io.orderedoutbox.store.Message;
import io.orderedoutbox.store.OutboxStore;
import io.orderedoutbox.store.RelayStore;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * An outbox of few partitions.
 */
public final class SmallOutbox implements AutoCloseable {

	public static final Partitions PARTITIONS = new Partitions(4, Partitions::crc32);

	private final OutboxTables tables;

	private final TransactionTemplate transaction;

	public SmallOutbox() {
		this(new OutboxTables());
	}

	public SmallOutbox(OutboxTables tables) {
		this.tables = tables;
		this.transaction = new TransactionTemplate(new JdbcTransactionManager(tables.writer()));
		jdbc("DELETE FROM outbox_partition WHERE id >= " + PARTITIONS.count()).update();
		jdbc("DELETE FROM outbox_stripe WHERE id >= " + PARTITIONS.count()).update();
	}

	public OutboxTables tables() {
		return this.tables;
	}

	public TransactionTemplate transaction() {
		return this.transaction;
	}

	private JdbcClient.StatementSpec jdbc(String sql) {
		return this.tables.jdbc().sql(sql);
	}

	/**
	 * Begin anew.
	 */
	public void clear() {
		Stream.of("message", "parked", "dead_letter", "archive")
			.forEach((table) -> jdbc("DELETE FROM outbox_" + table).update());
		jdbc("UPDATE outbox_partition SET retry_at = NULL").update();
	}

	public OutboxStore writing(boolean ordered) {
		return new JdbcOutboxStore(new OutboxDatabase(this.tables.writer(), "outbox_", false, PARTITIONS), ordered);
	}

	/**
	 * The claims of an instance.
	 * @param dataSource how it reaches the outbox
	 * @param clock its time
	 */
	public RelayStore relaying(DataSource dataSource, ClaimSettings settings, LongSupplier clock) {
		return new JdbcRelayStore(new OutboxDatabase(dataSource, "outbox_", false, PARTITIONS), settings, clock);
	}

	/**
	 * What is not as it must be after every commit.
	 */
	public List<String> broken(boolean ordered) {
		return LaneRules.broken(this.tables.jdbc(), ordered);
	}

	/**
	 * Let everything parked be due whose partition no claim owns: an operator would wait
	 * for it.
	 * @return the messages at the head of what is due now
	 */
	public List<String> makeDue() {
		return this.transaction.execute((status) -> {
			List<Long> free = free();
			String now = jdbc("SELECT " + sql().textOfTime(sql().now())).query(String.class).single();
			// By their primary keys: any other way would wait for claims that park keys
			return jdbc("""
					SELECT m.message_id, k.partition_id, k.lane, m.id FROM outbox_parked k LEFT JOIN outbox_message m
					ON m.lane = k.lane AND m.id = (SELECT MIN(n.id) FROM outbox_message n WHERE n.lane = k.lane)""")
				.query((row, index) -> new Parked(row.getString(1), row.getLong(2), row.getLong(3), row.getLong(4)))
				.list()
				.stream()
				.filter((parked) -> free.contains(parked.partition()))
				.map((parked) -> makeDue(parked, now))
				.flatMap(Optional::stream)
				.toList();
		});
	}

	/**
	 * Let the time of all messages have come, while no claim owns a partition.
	 */
	void releaseAll() {
		jdbc("UPDATE outbox_message SET available_at = UTC_TIMESTAMP(6) WHERE available_at > UTC_TIMESTAMP(6)")
			.update();
	}

	private List<Long> free() {
		return jdbc("SELECT id FROM outbox_partition FOR UPDATE SKIP LOCKED").query(Long.class).list();
	}

	/**
	 * Whether no claim owns any partition.
	 */
	boolean isFree() {
		return this.transaction.execute((status) -> free().size() == PARTITIONS.count());
	}

	// Of a lane the last message of which was removed late there is no head
	private Optional<String> makeDue(Parked parked, String now) {
		jdbc("UPDATE outbox_parked SET available_at = %s WHERE lane = ?".formatted(sql().timeOfText()))
			.params(now, parked.lane())
			.update();
		jdbc("UPDATE outbox_partition SET retry_at = %s WHERE id = ?".formatted(sql().timeOfText()))
			.params(now, parked.partition())
			.update();
		jdbc("UPDATE outbox_message SET available_at = LEAST(available_at, %s) WHERE lane = ? AND id = ?"
			.formatted(sql().timeOfText())).params(now, parked.lane(), parked.id()).update();
		return Optional.ofNullable(parked.head());
	}

	private SqlFragments sql() {
		return this.tables.outbox().dialect().sql();
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
	public List<UUID> messages(String table) {
		return jdbc("SELECT message_id FROM outbox_" + table).query(String.class)
			.list()
			.stream()
			.map(UUID::fromString)
			.toList();
	}

	public long count(String table) {
		return jdbc("SELECT COUNT(*) FROM outbox_" + table).query(Long.class).single();
	}

	@Override
	public void close() {
		this.tables.close();
	}

	private record Parked(@Nullable String head, long partition, long lane, long id) {

	}

}
