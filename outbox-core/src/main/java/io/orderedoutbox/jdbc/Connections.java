package io.orderedoutbox.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import java.util.function.Function;

import javax.sql.DataSource;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Connections that belong to no transaction of the application.
 */
final class Connections {

	private Connections() {
	}

	/**
	 * Take a connection, which the caller closes.
	 * @throws NoConnectionException if there is none
	 */
	static Connection open(DataSource dataSource) {
		try {
			return dataSource.getConnection();
		}
		// The latter from pools that are closed or cannot start
		catch (SQLException | IllegalStateException ex) {
			throw NoConnectionException.of(dataSource, ex);
		}
	}

	/**
	 * Read without locks.
	 */
	static <T> T read(Connection connection, Function<JdbcTemplate, T> query) throws SQLException {
		DataSource single = new SingleConnectionDataSource(connection, true);
		JdbcTemplate jdbc = new JdbcTemplate(single);
		if (connection.getAutoCommit()) {
			return query.apply(jdbc);
		}
		TransactionTemplate transaction = new TransactionTemplate(new JdbcTransactionManager(single));
		transaction.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
		return Objects.requireNonNull(transaction.execute((status) -> query.apply(jdbc)));
	}

}
