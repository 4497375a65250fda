package io.orderedoutbox.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

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
 * <li>A statement belongs to the physical connection, and is kept until that is closed:
 * the pool knows nothing of it, and need not. Where the driver itself decides which of
 * several servers to use, a connection is none, and nothing is prepared.</li>
 * <li>It belongs to a schema, too: the server looks for its tables where they were when
 * it was prepared.</li>
 * <li>Where the server, or a proxy before it, cannot prepare it or has too many, it is
 * not prepared on that connection. Any other failure to do so is that of the statement:
 * it may have ended the transaction.</li>
 * <li>What the server has forgotten, because somebody has reset the connection, or wants
 * prepared anew has had no effect, and is not used on that connection any more.</li>
 * </ol>
 * Whenever it cannot be used, whoever asks sends it the ordinary way. What wraps
 * connections to see or change statements does not see these, and a schema that was
 * chosen by a statement instead of {@link Connection#setCatalog} is not seen here.
 */
final class KeptStatements {

	private static final Logger logger = LoggerFactory.getLogger(KeptStatements.class);

	private static final boolean HAS_DRIVER = ClassUtils.isPresent("com.mysql.cj.jdbc.ConnectionImpl",
			KeptStatements.class.getClassLoader());

	private static final int UNKNOWN_COMMAND = 1047;

	private static final int UNSUPPORTED = 1295;

	private static final int TOO_MANY = 1461;

	private static final Set<Integer> NOT_TO_BE_HAD = Set.of(UNKNOWN_COMMAND, UNSUPPORTED, TOO_MANY);

	private static final int UNKNOWN_STATEMENT = 1243;

	private static final int NEEDS_REPREPARE = 1615;

	private static final Set<Integer> WITHOUT_EFFECT = Set.of(UNKNOWN_STATEMENT, NEEDS_REPREPARE);

	private static final int INTERRUPTED = 1317;

	private final JdbcTemplate jdbc;

	private final boolean enabled;

	private final Map<Place, Optional<PreparedStatement>> kept = new ConcurrentHashMap<>();

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
	 * @return the number of rows, or nothing if it was not executed and has to be sent
	 * the ordinary way
	 */
	OptionalInt update(String sql, PreparedStatementSetter values) {
		return this.enabled ? Objects.requireNonNull(this.jdbc.execute(new Update(sql, values))) : OptionalInt.empty();
	}

	private @Nullable PreparedStatement at(Place place) throws SQLException {
		Optional<PreparedStatement> known = this.kept.get(place);
		if (known == null) {
			known = prepare(place);
			this.kept.keySet().removeIf(Place::isGone);
			this.kept.put(place, known);
		}
		return known.orElse(null);
	}

	private static Optional<PreparedStatement> prepare(Place place) throws SQLException {
		try {
			return Optional.of(place.connection().serverPrepareStatement(place.sql()));
		}
		catch (SQLException ex) {
			if (!NOT_TO_BE_HAD.contains(ex.getErrorCode())) {
				throw ex;
			}
			logger.debug("Not prepared by the server, and sent as text instead: {}", place.sql(), ex);
			return Optional.empty();
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
			if (!connection.isWrapperFor(ConnectionImpl.class)) {
				return OptionalInt.empty();
			}
			Place place = Place.of(connection.unwrap(ConnectionImpl.class), this.sql);
			PreparedStatement statement = at(place);
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
				if (ex.getErrorCode() == INTERRUPTED && statement.getQueryTimeout() > 0) {
					// As the driver says for any other statement
					throw new SQLTimeoutException(ex.getMessage(), ex.getSQLState(), INTERRUPTED, ex);
				}
				if (!WITHOUT_EFFECT.contains(ex.getErrorCode())) {
					throw ex;
				}
				logger.debug("From now on sent as text: {}", this.sql, ex);
				KeptStatements.this.kept.put(place, Optional.empty());
				JdbcUtils.closeStatement(statement);
				return OptionalInt.empty();
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
	 * Where a statement is kept. A driver that reconnects by itself uses the same object
	 * with another id.
	 */
	private record Place(ConnectionImpl connection, long id, String schema, String sql) {

		static Place of(ConnectionImpl connection, String sql) {
			return new Place(connection, connection.getId(), connection.getDatabase(), sql);
		}

		boolean isGone() {
			return this.connection.isClosed() || this.connection.getId() != this.id;
		}

	}

}
