/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.backlog;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.jdbc.backlog.BacklogLook.Counts;
import io.orderedoutbox.store.Backlog;
import io.orderedoutbox.store.BacklogReader;
import org.jspecify.annotations.Nullable;

import org.springframework.util.function.SingletonSupplier;

import static io.orderedoutbox.store.Backlog.MAX_COUNT;

/**
 * {@link BacklogReader} on the tables of the outbox. An empty outbox costs one statement,
 * any other two, and one more if there is too much to count.
 */
public final class JdbcBacklogReader implements BacklogReader {

	private static final Duration PATIENCE = Duration.ofSeconds(5);

	// What the comment on the table of messages begins with
	private static final String SCHEMA = "outbox schema ";

	private final OutboxDatabase database;

	private final Supplier<BacklogStatements> statements;

	/**
	 * Create a reader.
	 * @param database the database of the outbox
	 */
	public JdbcBacklogReader(OutboxDatabase database) {
		this.database = database;
		this.statements = SingletonSupplier.of(() -> new BacklogStatements(database));
	}

	@Override
	public Backlog read() {
		BacklogStatements known = this.statements.get();
		return this.database.read(PATIENCE, (jdbc) -> read(new BacklogLook(jdbc, known)));
	}

	@Override
	public @Nullable String schemaVersion() {
		String comment = this.statements.get().comment;
		List<String> comments = this.database.read(PATIENCE, (jdbc) -> jdbc.queryForList(comment, String.class));
		return comments.stream()
			.filter((found) -> found.startsWith(SCHEMA))
			.map((found) -> found.substring(SCHEMA.length()))
			.findFirst()
			.orElse(null);
	}

	private static Backlog read(BacklogLook look) {
		Counts counts = look.count(MAX_COUNT, MAX_COUNT, MAX_COUNT);
		long counted = counts.messages().count();
		Duration lag = (counted > 0) ? look.lag() : null;
		return new Backlog(counts.messages().more() ? Math.max(counted, look.estimate()) : counted,
				(lag != null) ? lag : Duration.ZERO, counts.stalled().count(), counts.blocked().count(),
				counts.deadLetters().count(), counts.stalledFor(), counts.delayed().count());
	}

}
