/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;

import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.OutboxStoreException;
import io.orderedoutbox.jdbc.dialect.SqlFragments;
import io.orderedoutbox.store.Message;
import io.orderedoutbox.store.OutboxStore;

import org.springframework.dao.DataAccessException;

/**
 * {@link OutboxStore} on two tables.
 * <ol>
 * <li>In ordered mode the partition of a message is that of its key. A message without a
 * key, and in unordered mode any message, goes to any partition.</li>
 * <li>Lock the stripes of these partitions, in ascending order, with one statement, and
 * hold them until the commit. So no other transaction takes a position in them in
 * between: within a partition the order of positions is the order of commits, and nothing
 * ever appears below a position that a relay has seen.</li>
 * <li>Insert all messages, with one statement unless they are many or large.</li>
 * </ol>
 * The store locks all stripes before the first insert, because a position is taken when a
 * row is inserted. A message without a key never waits for a stripe as long as one is
 * free. A single message is inserted by the statement that locks its stripe, which the
 * server has prepared, where it can, since most transactions have one. How long a message
 * is delayed is in the text of its statement, which therefore is not prepared.
 */
public final class JdbcOutboxStore implements OutboxStore {

	// Far below the default packet limits (16 MB on MariaDB, 64 MB on MySQL)
	private static final int MAX_BYTES_PER_INSERT = 1 << 20;

	private static final int MAX_ROWS_PER_INSERT = 500;

	// That are bound, besides the lane
	private static final int COLUMNS = 8;

	private static final int PAYLOAD = 7;

	// What MySQL says when a savepoint does not exist
	private static final int NO_SUCH_SAVEPOINT = 1305;

	// What PostgreSQL says then, and without any transaction
	private static final Set<String> NO_SUCH_SAVEPOINT_STATES = Set.of("3B001", "25P01");

	private final OutboxDatabase database;

	private final boolean ordered;

	private final KeptStatements kept;

	private final boolean verifying;

	/**
	 * Create a store that sends all statements as text.
	 * @param database the database of the outbox
	 * @param ordered whether the order of each partition key is kept
	 */
	public JdbcOutboxStore(OutboxDatabase database, boolean ordered) {
		this(database, ordered, false, false);
	}

	/**
	 * Create a store.
	 * @param database the database of the outbox
	 * @param ordered whether the order of each partition key is kept
	 * @param preparing whether the statements for a single message are prepared by the
	 * server, once for each connection, if the driver is MySQL's
	 * @param verifying whether a transaction with messages that the server has ended
	 * since it began is found, by a savepoint
	 */
	public JdbcOutboxStore(OutboxDatabase database, boolean ordered, boolean preparing, boolean verifying) {
		this.database = database;
		this.ordered = ordered;
		this.kept = new KeptStatements(database.jdbc(), preparing);
		this.verifying = verifying;
	}

	@Override
	public Set<Integer> append(List<Message> messages) {
		this.database.agreement().require();
		Stripes stripes = new Stripes(this.database.jdbc(), this.database);
		if (messages.size() == 1) {
			return Set.of(appendOne(messages.get(0), stripes));
		}
		Set<Integer> partitions = lock(messages, stripes);
		int any = partitions.iterator().next();
		int from = 0;
		while (from < messages.size()) {
			int to = endOfChunk(messages, from);
			insert(messages.subList(from, to), any);
			from = to;
		}
		return partitions;
	}

	@Override
	public void mark() {
		if (this.verifying) {
			requireSavepoints();
			this.database.jdbc().execute("SAVEPOINT outbox_begin");
		}
	}

	// One that does not say that a savepoint is gone would let every transaction pass
	private void requireSavepoints() {
		if (!this.database.dialect().knowsWhichSavepointsAreGone()) {
			throw new OutboxConfigurationException(
					"outbox.jdbc.verify-transaction is true, but %s does not say whether it has ended a transaction."
						.formatted(this.database.dialect()),
					"Set it to false where the application works on this database, as in its tests.");
		}
	}

	@Override
	public void requireMark() {
		if (!this.verifying) {
			return;
		}
		try {
			this.database.jdbc().execute("RELEASE SAVEPOINT outbox_begin");
		}
		catch (DataAccessException ex) {
			if (!isSavepointGone(ex)) {
				throw ex;
			}
			throw new OutboxStoreException(
					"The database has ended the transaction since it began, and the application has gone on: after a deadlock or a timeout that it caught, a statement that commits by itself such as CREATE TABLE, or COMMIT or ROLLBACK as a statement. Nothing that was published is stored, and what was written since is rolled back. Let the exception of the failed statement end the transaction",
					ex);
		}
	}

	private static boolean isSavepointGone(DataAccessException failure) {
		return failure.getMostSpecificCause() instanceof SQLException cause
				&& (cause.getErrorCode() == NO_SUCH_SAVEPOINT
						|| NO_SUCH_SAVEPOINT_STATES.contains(String.valueOf(cause.getSQLState())));
	}

	private Set<Integer> lock(List<Message> messages, Stripes stripes) {
		Set<Integer> partitions = messages.stream()
			.filter(this::isBound)
			.map((message) -> this.database.partitions().of(message.partitionKey()))
			.collect(Collectors.toSet());
		if (partitions.isEmpty()) {
			return Set.of(stripes.lockAny());
		}
		stripes.lock(partitions);
		return partitions;
	}

	private boolean isBound(Message message) {
		return this.ordered && !message.partitionKey().isEmpty();
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
		for (Map.Entry<String, Object> header : message.headers().entrySet()) {
			size += header.getKey().length() + header.getValue().toString().length();
		}
		return size;
	}

	private int appendOne(Message message, Stripes stripes) {
		WriteStatements statements = this.database.writing();
		if (isBound(message)) {
			int partition = this.database.partitions().of(message.partitionKey());
			boolean isThere = message.delay().isNone()
					? appendOne(message, partition, statements.lockAndInsert, statements.keptLockAndInsert) > 0
					: appendOne(message, partition, statements.lockAndInsert(message.delay())) > 0;
			if (!isThere) {
				throw stripes.lost(List.of(partition), List.of());
			}
			return partition;
		}
		int any = stripes.random();
		boolean isFree = message.delay().isNone()
				? appendOne(message, any, statements.insertIfFree, statements.keptInsertIfFree) > 0
				: appendOne(message, any, statements.insertIfFree(message.delay())) > 0;
		if (isFree) {
			return any;
		}
		int free = stripes.lockAny();
		insert(List.of(message), free);
		return free;
	}

	private int appendOne(Message message, int partition, String text) {
		return this.database.jdbc().update(text, (row) -> {
			bind(row, 0, message);
			row.setInt(COLUMNS + 1, partition);
		});
	}

	private int appendOne(Message message, int partition, String text, String kept) {
		IntSupplier asText = () -> appendOne(message, partition, text);
		// Parsing is nothing beside a large payload, and what is compressed on its way
		// must not come near the limit for packets
		return (size(message) > MAX_BYTES_PER_INSERT) ? asText.getAsInt() : this.kept.update(kept, (row) -> {
			bindAllButPayload(row, 0, message);
			// What setBytes sends is text to the server, which may convert it
			row.setObject(PAYLOAD, message.payload(), Types.LONGVARBINARY);
			row.setInt(COLUMNS + 1, partition);
		}, asText);
	}

	private void insert(List<Message> messages, int any) {
		this.database.jdbc()
			.update(this.database.writing().insert(messages.stream().map(Message::delay).toList()), (rows) -> {
				int after = 0;
				for (Message message : messages) {
					rows.setInt(after + 1,
							isBound(message) ? this.database.partitions().of(message.partitionKey()) : any);
					bind(rows, after + 1, message);
					after += COLUMNS + 1;
				}
			});
	}

	private void bind(PreparedStatement rows, int after, Message message) throws SQLException {
		bindAllButPayload(rows, after, message);
		sql().bind(rows, after + PAYLOAD, message.payload());
	}

	private SqlFragments sql() {
		return this.database.dialect().sql();
	}

	private void bindAllButPayload(PreparedStatement rows, int after, Message message) throws SQLException {
		SqlFragments sql = sql();
		rows.setString(after + 1, message.messageId().toString());
		rows.setString(after + 2, message.name());
		rows.setString(after + 3, sql.encoded(message.partitionKey()));
		rows.setString(after + 4, sql.encoded(message.destination().exchange()));
		rows.setString(after + 5, sql.encoded(message.destination().routingKey()));
		rows.setString(after + 6, sql.encoded(message.contentType()));
		String headers = Headers.write(message.headers());
		rows.setString(after + 8, (headers != null) ? sql.encoded(headers) : null);
	}

}
