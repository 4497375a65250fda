package io.orderedoutbox.store;

import java.sql.Types;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;

import org.springframework.jdbc.core.SqlParameterValue;

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
 * is inserted. A single message is inserted by the statement that locks its stripe.
 */
public final class JdbcOutboxStore implements OutboxStore {

	// Far below the default packet limits (16 MB on MariaDB, 64 MB on MySQL)
	private static final int MAX_BYTES_PER_INSERT = 1 << 20;

	private static final int MAX_ROWS_PER_INSERT = 500;

	private final OutboxDatabase database;

	private final boolean ordered;

	/**
	 * Create a store.
	 * @param database the database of the outbox
	 * @param ordered whether the order of each partition key is kept
	 */
	public JdbcOutboxStore(OutboxDatabase database, boolean ordered) {
		this.database = database;
		this.ordered = ordered;
	}

	@Override
	public void append(List<Message> messages) {
		OutboxStatements statements = this.database.statements();
		if (this.ordered && messages.size() == 1 && !messages.get(0).partitionKey().isEmpty()) {
			lockAndInsert(statements, messages.get(0));
			return;
		}
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

	private void lockAndInsert(OutboxStatements statements, Message message) {
		List<Object> values = new ArrayList<>(9);
		addValues(values, message);
		int stripe = Stripes.of(message.partitionKey());
		values.add(stripe);
		if (this.database.jdbc().update(statements.lockAndInsert, values.toArray()) == 0) {
			throw Stripes.lost(this.database, List.of(stripe), List.of());
		}
	}

	private void insert(OutboxStatements statements, List<Message> messages) {
		List<Object> values = new ArrayList<>(messages.size() * 8);
		messages.forEach((message) -> addValues(values, message));
		this.database.jdbc().update(statements.insert(messages.size()), values.toArray());
	}

	private static void addValues(List<Object> values, Message message) {
		values.add(message.messageId().toString());
		values.add(message.name());
		values.add(message.partitionKey());
		values.add(message.destination().exchange());
		values.add(message.destination().routingKey());
		values.add(message.contentType());
		// MySQL's driver would write bytes as hexadecimal digits, one at a time. The
		// server makes bytes of it again
		values.add(Base64.getEncoder().encodeToString(message.payload()));
		// To bind a null without a type Spring asks which database and driver there are
		values.add(new SqlParameterValue(Types.VARCHAR, Headers.write(message.headers())));
	}

}
