package io.orderedoutbox.jdbc;

import java.sql.SQLException;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.jdbc.UncategorizedSQLException;

/**
 * Tells a query that MySQL has given up, because it took longer than it may. Spring has
 * no word for the code.
 */
final class ServerTimeout {

	private static final int CODE = 3024;

	private ServerTimeout() {
	}

	static DataAccessException translated(UncategorizedSQLException failure) {
		boolean isTimeout = failure.getMostSpecificCause() instanceof SQLException cause
				&& cause.getErrorCode() == CODE;
		return isTimeout ? new QueryTimeoutException(failure.getMostSpecificCause().getMessage(), failure) : failure;
	}

}
