/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc;

import java.sql.Connection;
import java.time.Duration;
import java.util.function.Function;

import io.orderedoutbox.OutboxConfigurationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Whether this instance may publish and relay: not while it is known to keep another
 * order, or to count other partitions, than the outbox and its other instances do. What
 * it wrote would go to the wrong partitions, and no error would tell of it.
 */
public final class Agreement {

	private static final Logger logger = LoggerFactory.getLogger(Agreement.class);

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private final OutboxDatabase database;

	private volatile @Nullable Refusal refusal;

	private volatile boolean pending;

	// What a check that was put off has found
	private volatile @Nullable Refusal found;

	Agreement(OutboxDatabase database) {
		this.database = database;
	}

	/**
	 * Let nothing be published or relayed until further notice.
	 */
	void refuse(OutboxConfigurationException reason) {
		this.refusal = Refusal.of(reason);
	}

	/**
	 * Let it go on.
	 */
	void agree() {
		this.refusal = null;
		this.pending = false;
	}

	/**
	 * Have the next thread that publishes or relays see how many partitions there are:
	 * the database could not be asked.
	 */
	public void checkLater() {
		this.pending = true;
	}

	/**
	 * Refuse to go on if this instance does not agree.
	 * @throws OutboxConfigurationException if it does not
	 */
	public void require() {
		if (this.pending) {
			check();
			this.pending = false;
		}
		Refusal known = this.refusal;
		if (known != null) {
			throw new OutboxConfigurationException(known.description(), known.remedy());
		}
	}

	private void check() {
		Function<JdbcTemplate, Boolean> count = (jdbc) -> {
			new PartitionCheck(this.database).run(jdbc);
			return true;
		};
		try {
			if (isSerializable()) {
				this.database.look(PATIENCE, count);
			}
			else {
				this.database.read(PATIENCE, count);
			}
		}
		catch (OutboxConfigurationException ex) {
			found(Refusal.of(ex));
			throw ex;
		}
	}

	// The log of a relay that could not reach its database tells of that outage alone
	private synchronized void found(Refusal reason) {
		if (this.found == null) {
			logger.atWarn()
				.addKeyValue("error", reason.description())
				.log("This instance publishes nothing and relays nothing, because it does not agree with its outbox: {}",
						reason.description());
		}
		this.found = reason;
	}

	// In such a transaction a plain SELECT locks what it reads, until the transaction
	// ends; on PostgreSQL it may be the reason why the transaction is refused
	private boolean isSerializable() {
		return Integer.valueOf(Connection.TRANSACTION_SERIALIZABLE)
			.equals(this.database.jdbc().execute((ConnectionCallback<Integer>) Connection::getTransactionIsolation));
	}

	/**
	 * Return why this instance publishes nothing and relays nothing. What a check that
	 * was put off has found is checked once more: an instance that gets no work because
	 * it is said to be out of service would not find out otherwise. The database is not
	 * asked if heartbeats see to that.
	 * @return the reason, {@code null} if the instance is not known to disagree
	 */
	public @Nullable String refusal() {
		if (this.refusal == null && this.pending && this.found != null) {
			checkAgain();
		}
		Refusal known = this.refusal;
		if (known == null && this.pending) {
			known = this.found;
		}
		return (known != null) ? known.description() : null;
	}

	private void checkAgain() {
		try {
			require();
		}
		catch (OutboxConfigurationException | DataAccessException ex) {
			logger.debug("It is still so, or the database could not be asked", ex);
		}
	}

	/**
	 * Why nothing may be published.
	 */
	private record Refusal(String description, String remedy) {

		static Refusal of(OutboxConfigurationException reason) {
			return new Refusal(reason.getDescription(), reason.getRemedy());
		}

	}

}
