/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.order;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.orderedoutbox.Destination;
import io.orderedoutbox.store.Claim;
import io.orderedoutbox.store.Claims;
import io.orderedoutbox.store.FailedMessage;
import io.orderedoutbox.store.KeySequence;
import io.orderedoutbox.store.Message;
import io.orderedoutbox.store.RelayStore;
import io.orderedoutbox.store.StoredMessage;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * What textbooks say: the head of a key is its oldest message that is not in flight.
 * Every message is claimed once, under a lock of all claimants; only the heads are wrong.
 */
final class TextbookRelayStore implements RelayStore {

	private static final String HEADS = """
			SELECT MIN(m.id) FROM outbox_message m LEFT JOIN fuzz_in_flight f ON f.id = m.id WHERE f.id IS NULL
			GROUP BY m.partition_key, IF(m.partition_key = '', m.id, 0) ORDER BY 1 LIMIT 10""";

	private static final String LOAD = """
			SELECT id, message_id, name, partition_key, exchange, routing_key, content_type, payload
			FROM outbox_message WHERE id = ?""";

	private final JdbcClient jdbc;

	private final TransactionTemplate transaction;

	TextbookRelayStore(JdbcClient jdbc, TransactionTemplate transaction) {
		this.jdbc = jdbc;
		this.transaction = transaction;
	}

	@Override
	public Claims claims() {
		return () -> {
			List<KeySequence> runs = this.transaction.execute((status) -> markInFlight());
			return runs.isEmpty() ? null : new TextbookClaim(runs);
		};
	}

	private List<KeySequence> markInFlight() {
		this.jdbc.sql("SELECT id FROM outbox_stripe WHERE id = 0 FOR UPDATE").query(Long.class).single();
		List<Long> heads = this.jdbc.sql(HEADS).query(Long.class).list();
		heads.forEach((id) -> this.jdbc.sql("INSERT INTO fuzz_in_flight (id) VALUES (?)").param(id).update());
		return heads.stream().map((id) -> new KeySequence(List.of(load(id)))).toList();
	}

	private StoredMessage load(long id) {
		return this.jdbc.sql(LOAD).param(id).query((row, index) -> {
			Message message = new Message(UUID.fromString(row.getString("message_id")), row.getString("name"),
					row.getString("partition_key"),
					new Destination(row.getString("exchange"), row.getString("routing_key")),
					row.getString("content_type"), row.getBytes("payload"), Map.of());
			return new StoredMessage(id, message, Instant.EPOCH, 0, null);
		}).single();
	}

	/**
	 * Messages that are marked, with no lock on them.
	 */
	private final class TextbookClaim implements Claim {

		private final List<KeySequence> runs;

		TextbookClaim(List<KeySequence> runs) {
			this.runs = runs;
		}

		@Override
		public List<KeySequence> sequences() {
			return this.runs;
		}

		@Override
		public boolean moreIsWaiting() {
			return true;
		}

		@Override
		public boolean renew() {
			return true;
		}

		@Override
		public void settle(Collection<Long> published, Collection<FailedMessage> failed) {
			TextbookRelayStore.this.transaction.executeWithoutResult((status) -> published
				.forEach((id) -> TextbookRelayStore.this.jdbc.sql("DELETE FROM outbox_message WHERE id = ?")
					.param(id)
					.update()));
		}

		@Override
		public void commit() {
		}

		@Override
		public void close() {
		}

	}

}
