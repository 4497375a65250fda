/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.claim;

import java.sql.Connection;
import java.sql.SQLNonTransientConnectionException;

import javax.sql.DataSource;

import io.orderedoutbox.testing.InterceptedDataSource;
import org.jspecify.annotations.Nullable;

/**
 * A data source whose connections can be lost while they commit.
 */
final class LossyDataSource extends InterceptedDataSource {

	private volatile @Nullable Loss next;

	LossyDataSource(DataSource dataSource) {
		super(dataSource);
	}

	/**
	 * Lose the connection that commits next.
	 * @param loss what is lost, nothing to change one's mind
	 */
	void loseNextCommit(@Nullable Loss loss) {
		this.next = loss;
	}

	@Override
	protected Interceptor opened(Connection connection) {
		return (call) -> {
			Loss loss = call.name().equals("commit") ? this.next : null;
			if (loss == null) {
				return call.proceed();
			}
			this.next = null;
			if (loss == Loss.ANSWER) {
				connection.commit();
			}
			connection.abort(Runnable::run);
			throw new SQLNonTransientConnectionException("The connection was lost while it committed", "08S01");
		};
	}

	/**
	 * What of a commit is lost.
	 */
	enum Loss {

		/** The server does not hear of it. */
		REQUEST,

		/** The client does not hear that it was carried out. */
		ANSWER

	}

}
