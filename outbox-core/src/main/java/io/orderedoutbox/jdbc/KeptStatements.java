/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLTimeoutException;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntSupplier;

import com.mysql.cj.jdbc.ConnectionImpl;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.PreparedStatementSetter;
import org.springframework.jdbc.core.SqlProvider;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.support.JdbcUtils;
import org.springframework.util.ClassUtils;

/**
 * Statements that the server has parsed once for each connection, instead of driver and
 * server for each execution. Connector/J has that as an option of the whole data source,
 * which belongs to the application, and for a single statement in an interface of its
 * own, which is used here.
 * <ol>
 * <li>What a connection has not been asked for yet is sent the ordinary way, and prepared
 * when that has succeeded: what usually fails or waits has done so where driver and pool
 * expect it, and the tables cannot be altered meanwhile.</li>
 * <li>A prepared statement belongs to the physical connection, and is kept until that is
 * closed: the pool knows nothing of it, and need not. Where the driver itself decides
 * which of several servers to use, a connection is none, and nothing is prepared.</li>
 * <li>A prepared statement belongs to a schema, too: the server looks for its tables
 * where they were when it was prepared. In any other schema the connection sends text, or
 * an application with a schema for each tenant would have one for each of them on each
 * connection.</li>
 * <li>Where the server, or a proxy before it, cannot prepare a statement or has too many,
 * that connection goes on with text. So it does when what was prepared has been
 * forgotten, because the connection was reset, or is wanted anew: that execution had no
 * effect.</li>
 * <li>What is no {@link PrepareRefusal refusal} may have ended the transaction, whose
 * commit would succeed with nothing in it: so it fails, and the next one of that
 * connection goes on with text.</li>
 * <li>Any other failure is that of the statement, which is then let go of: pools look at
 * failures to see that a connection is of no use any more, and do not see these.</li>
 * </ol>
 * What wraps connections to see or change statements does not see these, and a schema
 * that was chosen by a statement instead of {@link Connection#setCatalog} is not seen
 * here. A connection that is lost without being closed stays reachable.
 */
final class KeptStatements {

	private static final Logger logger = LoggerFactory.getLogger(KeptStatements.class);

	private static final boolean HAS_DRIVER = ClassUtils.isPresent("com.mysql.cj.jdbc.ConnectionImpl",
			KeptStatements.class.getClassLoader());

	private static final int UNKNOWN_STATEMENT = 1243;

	private static final int NEEDS_REPREPARE = 1615;

	private static final Set<Integer> WITHOUT_EFFECT = Set.of(UNKNOWN_STATEMENT, NEEDS_REPREPARE);

	private static final int INTERRUPTED = 1317;

	private final JdbcTemplate jdbc;

	private final boolean enabled;

	private final Map<Place, Kept> kept = new ConcurrentHashMap<>();

	/**
	 * Create what executes statements.
	 * @param jdbc a template on the data source of the outbox
	 * @param enabled whether it is to be done at all
	 */
	KeptStatements(JdbcTemplate jdbc, boolean enabled) {
		this.jdbc = jdbc;
		this.enabled = enabled && HAS_DRIVER;
	}

	/**
	 * Execute a statement on the connection of the current transaction.
	 * @param sql the statement
	 * @param values its values
	 * @param asText does the same the ordinary way
	 * @return the number of rows
	 */
	int update(String sql, PreparedStatementSetter values, IntSupplier asText) {
		if (!this.enabled) {
			return asText.getAsInt();
		}
		OptionalInt rows = Objects.requireNonNull(this.jdbc.execute(new Update(sql, values)));
		return rows.isPresent() ? rows.getAsInt() : updateAndPrepare(sql, asText);
	}

	private int updateAndPrepare(String sql, IntSupplier asText) {
		int rows = asText.getAsInt();
		this.jdbc.execute((Connection connection) -> {
			Place place = place(connection, sql);
			if (place != null) {
				prepare(place);
			}
			return rows;
		});
		return rows;
	}

	private static @Nullable Place place(Connection connection, String sql) throws SQLException {
		try {
			return connection.isWrapperFor(ConnectionImpl.class)
					? new Place(connection.unwrap(ConnectionImpl.class), sql) : null;
		}
		catch (SQLFeatureNotSupportedException ex) {
			return null;
		}
	}

	private void prepare(Place place) throws SQLException {
		Kept known = this.kept.get(place);
		if (known != null && known.id() == place.connection().getId()) {
			return;
		}
		letGo(place);
		this.kept.keySet().removeIf((other) -> other.connection().isClosed());
		// Also if preparing fails: that is to fail one transaction, not each of this
		// connection
		this.kept.put(place, place.nothing());
		try {
			this.kept.put(place, place.prepare());
		}
		catch (SQLException ex) {
			if (!PrepareRefusal.is(ex)) {
				throw ex;
			}
			logger.debug("Not prepared by the server, and sent as text instead: {}", place.sql(), ex);
		}
	}

	private void letGo(Place place) {
		Kept gone = this.kept.remove(place);
		if (gone != null) {
			JdbcUtils.closeStatement(gone.statement());
		}
	}

	private final class Update implements ConnectionCallback<OptionalInt>, SqlProvider {

		private final String sql;

		private final PreparedStatementSetter values;

		Update(String sql, PreparedStatementSetter values) {
			this.sql = sql;
			this.values = values;
		}

		@Override
		public OptionalInt doInConnection(Connection connection) throws SQLException {
			Place place = place(connection, this.sql);
			if (place == null) {
				return OptionalInt.empty();
			}
			Kept known = KeptStatements.this.kept.get(place);
			PreparedStatement statement = (known != null) ? known.in(place.connection()) : null;
			return (statement != null) ? execute(statement, place) : OptionalInt.empty();
		}

		private OptionalInt execute(PreparedStatement statement, Place place) throws SQLException {
			try {
				// The last one's would apply otherwise
				DataSourceUtils.applyTimeout(statement, KeptStatements.this.jdbc.getDataSource(), 0);
				this.values.setValues(statement);
				return OptionalInt.of(statement.executeUpdate());
			}
			catch (SQLException ex) {
				boolean timedOut = ex.getErrorCode() == INTERRUPTED && statement.getQueryTimeout() > 0;
				letGo(place);
				if (WITHOUT_EFFECT.contains(ex.getErrorCode())) {
					logger.debug("From now on sent as text: {}", this.sql, ex);
					KeptStatements.this.kept.put(place, place.nothing());
					return OptionalInt.empty();
				}
				// As the driver says for any other statement
				throw timedOut ? new SQLTimeoutException(ex.getMessage(), ex.getSQLState(), INTERRUPTED, ex) : ex;
			}
			finally {
				if (!statement.isClosed()) {
					// Keeps no payload alive
					statement.clearParameters();
				}
			}
		}

		@Override
		public String getSql() {
			return this.sql;
		}

	}

	/**
	 * Where a statement is kept.
	 */
	private record Place(ConnectionImpl connection, String sql) {

		Kept prepare() throws SQLException {
			return new Kept(this.connection.getId(), this.connection.getDatabase(),
					this.connection.serverPrepareStatement(this.sql));
		}

		Kept nothing() {
			return new Kept(this.connection.getId(), this.connection.getDatabase(), null);
		}

	}

	/**
	 * What is kept, if anything, and for what it is good. A driver that reconnects by
	 * itself uses the same object with another id.
	 */
	private record Kept(long id, @Nullable String schema, @Nullable PreparedStatement statement) {

		@Nullable PreparedStatement in(ConnectionImpl connection) {
			boolean there = this.id == connection.getId() && Objects.equals(this.schema, connection.getDatabase());
			return there ? this.statement : null;
		}

	}

}
