package io.orderedoutbox.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.util.Objects;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * What a connection is set to.
 */
public record Session(long connectionId, int waitTimeout, int networkTimeout, String isolation, boolean autoCommit) {

	/**
	 * That of the connection which the thread gets now.
	 */
	public static Session of(OutboxDatabase database) {
		String isolation = (database.dialect() == Dialect.MYSQL) ? "transaction_isolation" : "tx_isolation";
		String sql = "SELECT CONNECTION_ID(), @@SESSION.wait_timeout, @@SESSION.autocommit, @@SESSION." + isolation;
		return Objects.requireNonNull(new JdbcTemplate(database.dataSource()).execute((Connection connection) -> {
			try (ResultSet row = connection.createStatement().executeQuery(sql)) {
				row.next();
				return new Session(row.getLong(1), row.getInt(2), connection.getNetworkTimeout(), row.getString(4),
						row.getBoolean(3));
			}
		}));
	}

}
