package io.orderedoutbox.jdbc.admin;

import java.time.Duration;
import java.util.List;

import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.jdbc.admin.BacklogLook.Counts;
import io.orderedoutbox.store.Backlog;
import io.orderedoutbox.store.BacklogReader;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;

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

	private final BacklogStatements statements;

	/**
	 * Create a reader.
	 * @param database the database of the outbox
	 */
	public JdbcBacklogReader(OutboxDatabase database) {
		this.database = database;
		this.statements = new BacklogStatements(database.tablePrefix());
	}

	@Override
	public Backlog read() {
		return this.database.read(PATIENCE, this::read);
	}

	@Override
	public @Nullable String schemaVersion() {
		List<String> comments = this.database.read(PATIENCE,
				(jdbc) -> jdbc.queryForList(BacklogStatements.COMMENT, String.class, this.database.tablePrefix()));
		return comments.stream()
			.filter((comment) -> comment.startsWith(SCHEMA))
			.map((comment) -> comment.substring(SCHEMA.length()))
			.findFirst()
			.orElse(null);
	}

	private Backlog read(JdbcTemplate jdbc) {
		BacklogLook look = new BacklogLook(jdbc, this.statements);
		Counts counts = look.count(MAX_COUNT, MAX_COUNT, MAX_COUNT);
		long counted = counts.messages().count();
		Duration lag = (counted > 0) ? look.lag() : null;
		return new Backlog(counts.messages().more() ? Math.max(counted, look.estimate()) : counted,
				(lag != null) ? lag : Duration.ZERO, counts.stalled().count(), counts.blocked().count(),
				counts.deadLetters().count(), counts.stalledFor(), counts.delayed().count());
	}

}
