/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.order;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

import io.orderedoutbox.jdbc.JdbcOutboxStore;
import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.store.Message;
import io.orderedoutbox.store.OutboxStore;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The outbox's own store, and after it, still in the transaction: an entry in a ledger of
 * what was written where, and a pause before the commit. Remembers when each commit
 * began.
 */
final class SlowStore implements OutboxStore {

	private final Map<String, Long> commitBegan = new ConcurrentHashMap<>();

	private final ThreadLocal<Duration> pause = ThreadLocal.withInitial(() -> Duration.ZERO);

	private final OutboxStore store;

	private final JdbcClient jdbc;

	private SlowStore(OutboxStore store, JdbcClient jdbc) {
		this.store = store;
		this.jdbc = jdbc;
	}

	/**
	 * How long this thread's transactions stay open after they have written.
	 */
	void pauseBeforeCommit(Duration duration) {
		this.pause.set(duration);
	}

	@Override
	public Set<Integer> append(List<Message> messages) {
		Set<Integer> partitions = this.store.append(messages);
		enterIntoLedger(messages);
		LockSupport.parkNanos(this.pause.get().toNanos());
		long now = System.nanoTime();
		messages.forEach((message) -> this.commitBegan.put(message.messageId().toString(), now));
		return partitions;
	}

	private void enterIntoLedger(List<Message> messages) {
		long firstId = this.jdbc.sql(Servers.database().isH2() ? "SELECT 0" : "SELECT LAST_INSERT_ID()")
			.query(Long.class)
			.single();
		List<Object> values = new ArrayList<>();
		this.jdbc
			.sql("SELECT id, message_id, partition_key FROM outbox_message WHERE id >= :first AND message_id IN (:ids)")
			.param("first", firstId)
			.param("ids", messages.stream().map((message) -> message.messageId().toString()).toList())
			.query((row) -> {
				Collections.addAll(values, row.getLong("id"), row.getString("message_id"),
						row.getString("partition_key"));
			});
		String rows = String.join(", ", Collections.nCopies(values.size() / 3, "(?, ?, ?)"));
		this.jdbc.sql("INSERT INTO fuzz_ledger (id, message_id, partition_key) VALUES " + rows).params(values).update();
	}

	/**
	 * A moment, by {@link System#nanoTime}, before the message was committed.
	 */
	long commitBegan(String messageId) {
		return this.commitBegan.get(messageId);
	}

	/**
	 * Puts the store into an application.
	 */
	static class Configuration {

		@Bean
		SlowStore slowStore(OutboxDatabase database, @Value("${fuzzer.stripes}") boolean stripes, JdbcClient jdbc) {
			return new SlowStore(new JdbcOutboxStore(database, stripes), jdbc);
		}

	}

}
