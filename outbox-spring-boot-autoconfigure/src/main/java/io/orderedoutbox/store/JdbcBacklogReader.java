package io.orderedoutbox.store;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;

import static io.orderedoutbox.store.Backlog.MAX_COUNT;

/**
 * {@link BacklogReader} on the tables of the outbox. An empty outbox costs one statement,
 * any other two; one more if there is too much to count, and one more if nothing near the
 * front can be sent.
 */
public final class JdbcBacklogReader implements BacklogReader {

	private static final Duration PATIENCE = Duration.ofSeconds(5);

	// What the comment on the table of messages begins with
	private static final String SCHEMA = "outbox schema ";

	private static final int WINDOW = 1_000;

	private final OutboxDatabase database;

	private final boolean ordered;

	private final BacklogStatements statements;

	/**
	 * Create a reader.
	 * @param database the database of the outbox
	 * @param ordered whether the order of each partition key is kept
	 */
	public JdbcBacklogReader(OutboxDatabase database, boolean ordered) {
		this.database = database;
		this.ordered = ordered;
		this.statements = new BacklogStatements(database.tablePrefix(), ordered);
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
		Backlog counted = Objects.requireNonNull(jdbc.queryForObject(this.statements.count, (rs, index) -> {
			long blocked = rs.getLong("blocked");
			return new Backlog(rs.getLong("depth"), Duration.ZERO, rs.getLong("stuck") - blocked, blocked,
					rs.getLong("letters"));
		}, MAX_COUNT, MAX_COUNT, MAX_COUNT));
		return new Backlog((counted.depth() < MAX_COUNT) ? counted.depth() : estimate(jdbc), lag(jdbc, counted.depth()),
				counted.stalledKeys(), counted.blockedKeys(), counted.deadLetters());
	}

	private long estimate(JdbcTemplate jdbc) {
		Long rows = jdbc.queryForObject(this.statements.estimate, (rs, index) -> rs.getLong("rows"));
		return Math.max(MAX_COUNT, Objects.requireNonNull(rows));
	}

	private Duration lag(JdbcTemplate jdbc, long depth) {
		Long micros = (depth > 0) ? jdbc.queryForObject(this.statements.lagOfWindow, Long.class, WINDOW) : null;
		if (micros == null && depth > WINDOW) {
			micros = lagElsewhere(jdbc);
		}
		return (micros != null) ? Duration.of(micros, ChronoUnit.MICROS) : Duration.ZERO;
	}

	private @Nullable Long lagElsewhere(JdbcTemplate jdbc) {
		String statement = this.ordered ? this.statements.lagOfHeads : this.statements.lagOfWindow;
		return jdbc.queryForObject(statement, Long.class, MAX_COUNT);
	}

}
