/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.app;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.orderedoutbox.store.Message;
import io.orderedoutbox.store.OutboxStore;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The outbox's own store, and after it, still in the transaction: a pause, and an entry
 * in a ledger of what was written where. The ledger therefore knows what was committed,
 * even when nobody else does.
 */
final class LedgerStore implements OutboxStore {

	private static final ThreadLocal<Entry> ENTRY = new ThreadLocal<>();

	private final OutboxStore store;

	private final ObjectProvider<JdbcClient> jdbc;

	private final boolean isPostgreSql;

	private LedgerStore(OutboxStore store, ObjectProvider<JdbcClient> jdbc, boolean isPostgreSql) {
		this.store = store;
		this.jdbc = jdbc;
		this.isPostgreSql = isPostgreSql;
	}

	/**
	 * Say how this thread's next transaction is entered.
	 */
	static void nextEntry(long transaction, Duration pause) {
		ENTRY.set(new Entry(transaction, pause));
	}

	@Override
	public Set<Integer> append(List<Message> messages) {
		Set<Integer> partitions = this.store.append(messages);
		Entry entry = ENTRY.get();
		LockSupport.parkNanos(entry.pause().toNanos());
		enter(messages, entry.transaction());
		return partitions;
	}

	private void enter(List<Message> messages, long transaction) {
		long commitBegins = System.nanoTime();
		int entered = this.isPostgreSql ? enterFromTable(messages, transaction, commitBegins)
				: enterByLastId(messages, transaction, commitBegins);
		if (entered != messages.size()) {
			throw new IllegalStateException(
					"%d of %d messages were entered in the ledger".formatted(entered, messages.size()));
		}
	}

	// The database counts the rows of one INSERT without a gap from the first on, in
	// their order
	private int enterByLastId(List<Message> messages, long transaction, long commitBegins) {
		String rows = IntStream.range(0, messages.size())
			.mapToObj("(LAST_INSERT_ID() + %d, ?, ?, ?, ?)"::formatted)
			.collect(Collectors.joining(", "));
		List<Object> values = new ArrayList<>();
		for (Message message : messages) {
			Collections.addAll(values, message.messageId().toString(), message.partitionKey(), transaction,
					commitBegins);
		}
		return this.jdbc.getObject()
			.sql("INSERT INTO chaos_ledger (id, message_id, partition_key, tx, commit_began) VALUES " + rows)
			.params(values)
			.update();
	}

	// Other transactions may take positions between its own: they are no more than a few
	private int enterFromTable(List<Message> messages, long transaction, long commitBegins) {
		return this.jdbc.getObject()
			.sql("""
					INSERT INTO chaos_ledger (id, message_id, partition_key, tx, commit_began)
					SELECT id, message_id, partition_key, ?, ? FROM outbox_message
					WHERE id > currval(pg_get_serial_sequence('outbox_message', 'id')) - 10000
					AND message_id = ANY (string_to_array(?, ','))""")
			.params(transaction, commitBegins,
					messages.stream().map((message) -> message.messageId().toString()).collect(Collectors.joining(",")))
			.update();
	}

	private record Entry(long transaction, Duration pause) {

	}

	/**
	 * Puts the store into an application.
	 */
	static final class Installer implements BeanPostProcessor {

		private final ObjectProvider<JdbcClient> jdbc;

		private final boolean isPostgreSql;

		Installer(ObjectProvider<JdbcClient> jdbc, @Value("${spring.datasource.url}") String jdbcUrl) {
			this.jdbc = jdbc;
			this.isPostgreSql = jdbcUrl.startsWith("jdbc:postgresql:");
		}

		@Override
		public Object postProcessAfterInitialization(Object bean, String beanName) {
			return (bean instanceof OutboxStore store) ? new LedgerStore(store, this.jdbc, this.isPostgreSql) : bean;
		}

	}

}
