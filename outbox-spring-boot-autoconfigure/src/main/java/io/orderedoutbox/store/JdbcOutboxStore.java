package io.orderedoutbox.store;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;

import org.springframework.jdbc.core.PreparedStatementSetter;

/**
 * {@link OutboxStore} on two tables.
 * <ol>
 * <li>In ordered mode, lock the stripes of all partition keys, in ascending order, with
 * one statement. A key's stripe is held until the commit, so that no other transaction
 * can take a position for that key in between: the order of positions becomes the order
 * of commits, also for writers that share no other lock.</li>
 * <li>Insert all messages, with one statement unless they are many or large.</li>
 * </ol>
 * All stripes are locked before the first insert, because a position is taken when a row
 * is inserted. A single message is inserted by the statement that locks its stripe, which
 * the server has prepared, where it can, since most transactions have one.
 */
public final class JdbcOutboxStore implements OutboxStore {

	// Far below the default packet limits (16 MB on MariaDB, 64 MB on MySQL)
	private static final int MAX_BYTES_PER_INSERT = 1 << 20;

	private static final int MAX_ROWS_PER_INSERT = 500;

	// That are bound
	private static final int COLUMNS = 8;

	private static final int PAYLOAD = 7;

	private final OutboxDatabase database;

	private final boolean ordered;

	private final KeptStatements kept;

	/**
	 * Create a store that has statements prepared by the server.
	 * @param database the database of the outbox
	 * @param ordered whether the order of each partition key is kept
	 */
	public JdbcOutboxStore(OutboxDatabase database, boolean ordered) {
		this(database, ordered, true);
	}

	/**
	 * Create a store.
	 * @param database the database of the outbox
	 * @param ordered whether the order of each partition key is kept
	 * @param preparing whether the statements for a single message are prepared by the
	 * server, once for each connection, if the driver is MySQL's
	 */
	public JdbcOutboxStore(OutboxDatabase database, boolean ordered, boolean preparing) {
		this.database = database;
		this.ordered = ordered;
		this.kept = new KeptStatements(database.jdbc(), preparing);
	}

	@Override
	public void append(List<Message> messages) {
		if (messages.size() == 1) {
			appendOne(messages.get(0));
			return;
		}
		OutboxStatements statements = this.database.statements();
		if (this.ordered) {
			Stripes.lock(this.database.jdbc(), this.database, messages.stream().map(Message::partitionKey).toList());
		}
		int from = 0;
		while (from < messages.size()) {
			int to = endOfChunk(messages, from);
			insert(statements, messages.subList(from, to));
			from = to;
		}
	}

	private static int endOfChunk(List<Message> messages, int from) {
		int to = from;
		long bytes = 0;
		while (to < messages.size() && to - from < MAX_ROWS_PER_INSERT) {
			bytes += size(messages.get(to));
			if (bytes > MAX_BYTES_PER_INSERT && to > from) {
				break;
			}
			to++;
		}
		return to;
	}

	// Everything else of a row is small
	private static long size(Message message) {
		long size = message.payload().length;
		for (Map.Entry<String, String> header : message.headers().entrySet()) {
			size += header.getKey().length() + header.getValue().length();
		}
		return size;
	}

	private void appendOne(Message message) {
		OutboxStatements statements = this.database.statements();
		if (this.ordered && !message.partitionKey().isEmpty()) {
			lockAndInsert(statements, message);
		}
		else {
			update(message, statements.keptInsert, (row) -> bindKept(row, message),
					() -> insert(statements, List.of(message)));
		}
	}

	private void lockAndInsert(OutboxStatements statements, Message message) {
		int stripe = Stripes.of(message.partitionKey());
		int inserted = update(message, statements.keptLockAndInsert, (row) -> {
			bindKept(row, message);
			row.setInt(COLUMNS + 1, stripe);
		}, () -> this.database.jdbc().update(statements.lockAndInsert, (row) -> {
			bind(row, 0, message);
			row.setInt(COLUMNS + 1, stripe);
		}));
		if (inserted == 0) {
			throw Stripes.lost(this.database, List.of(stripe), List.of());
		}
	}

	// Parsing is nothing beside a large payload, and what is compressed on its way must
	// not come near the limit for packets
	private int update(Message message, String kept, PreparedStatementSetter values, IntSupplier asText) {
		return (size(message) <= MAX_BYTES_PER_INSERT) ? this.kept.update(kept, values, asText) : asText.getAsInt();
	}

	private int insert(OutboxStatements statements, List<Message> messages) {
		return this.database.jdbc().update(statements.insert(messages.size()), (rows) -> {
			for (int row = 0; row < messages.size(); row++) {
				bind(rows, row * COLUMNS, messages.get(row));
			}
		});
	}

	private static void bind(PreparedStatement rows, int after, Message message) throws SQLException {
		bindAllButPayload(rows, after, message);
		rows.setString(after + PAYLOAD, Base64.getEncoder().encodeToString(message.payload()));
	}

	private static void bindKept(PreparedStatement row, Message message) throws SQLException {
		bindAllButPayload(row, 0, message);
		// What setBytes sends is text to the server, which may convert it
		row.setObject(PAYLOAD, message.payload(), Types.LONGVARBINARY);
	}

	private static void bindAllButPayload(PreparedStatement rows, int after, Message message) throws SQLException {
		rows.setString(after + 1, message.messageId().toString());
		rows.setString(after + 2, message.name());
		rows.setString(after + 3, message.partitionKey());
		rows.setString(after + 4, message.destination().exchange());
		rows.setString(after + 5, message.destination().routingKey());
		rows.setString(after + 6, message.contentType());
		rows.setString(after + 8, Headers.write(message.headers()));
	}

}
