package io.orderedoutbox.jdbc;

import java.sql.SQLException;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataIntegrityViolationException;

/**
 * Tells an error that a trigger raises by SIGNAL, because of the row that it was shown.
 * Spring has no word for the state.
 */
public final class RaisedError {

	private static final String STATE = "45";

	private RaisedError() {
	}

	/**
	 * Return what a failure is.
	 * @param failure what Spring has made of it
	 * @return a refusal of a row if a trigger has raised it, otherwise the failure itself
	 */
	public static DataAccessException translated(DataAccessException failure) {
		boolean isRaised = failure.getMostSpecificCause() instanceof SQLException cause
				&& String.valueOf(cause.getSQLState()).startsWith(STATE);
		return isRaised ? new DataIntegrityViolationException(failure.getMostSpecificCause().getMessage(), failure)
				: failure;
	}

}
