/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.function.BooleanSupplier;

import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.jdbc.InstanceDifferences;
import io.orderedoutbox.jdbc.JdbcInstances;
import io.orderedoutbox.jdbc.OutboxInstance;
import io.orderedoutbox.relay.OutboxRelay;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;

/**
 * Says now and then that this instance is there, whether it relays or only publishes, and
 * refuses to start it beside one that keeps another order. While it runs, it looks
 * whether all still agree. When it ends as it should, it takes itself out.
 */
public final class InstanceHeartbeat extends BackgroundTask {

	/** How many signs of life an instance may miss before others take it for ended. */
	public static final int BEATS_TO_MISS = 3;

	private static final Logger logger = LoggerFactory.getLogger(InstanceHeartbeat.class);

	private static final int BEATS_BETWEEN_CLEANINGS = 20;

	// What it was sending is of use to its next start, which may be a long way off
	private static final Duration LONGEST_SILENCE = Duration.ofHours(1);

	private final JdbcInstances instances;

	private final BooleanSupplier relayHasEnded;

	private final FailureLog failures;

	private final FailureLog otherOrder;

	private final FailureLog disagreement;

	private int beats;

	private boolean unreachable;

	/**
	 * Create a heartbeat.
	 * @param instances where to say it
	 * @param interval how often, zero for never
	 * @param relayHasEnded whether nothing is being sent any more; asked at the end
	 */
	public InstanceHeartbeat(JdbcInstances instances, Duration interval, BooleanSupplier relayHasEnded) {
		super("outbox-instance-heartbeat", Duration.ZERO, interval);
		this.instances = instances;
		this.relayHasEnded = relayHasEnded;
		String table = instances.table();
		this.failures = new FailureLog(logger, table, "This instance cannot be seen by others in table " + table
				+ ". The outbox works all the same. If the table is missing, create it with the script of the outbox, "
				+ "or set outbox.monitor.heartbeat-interval=0s",
				"This instance can be seen by others in table " + table + " again");
		this.otherOrder = new FailureLog(logger, null,
				"Instances of one outbox differ in outbox.ordered, so that no order is kept. Give all of them the same value",
				"All instances have the same outbox.ordered again");
		this.disagreement = new FailureLog(logger, null,
				"This instance publishes nothing and relays nothing, because it does not agree with its outbox",
				"This instance agrees with its outbox again, and goes on");
	}

	/**
	 * Return this instance.
	 * @param ordered whether it keeps the order of partition keys
	 * @return the instance, as it is at the moment
	 */
	public static OutboxInstance self(boolean ordered) {
		return new OutboxInstance(Host.name(), ProcessHandle.current().pid(), ordered,
				Duration.ofMillis(ManagementFactory.getRuntimeMXBean().getUptime()));
	}

	/**
	 * Begin.
	 * @throws OutboxConfigurationException if an instance is there that keeps another
	 * order
	 */
	@Override
	public void start() {
		if (isAutoStartup() && !isRunning()) {
			requireSameOrder();
		}
		super.start();
	}

	// Looks, says that it is there, and looks again: of two that start together, at least
	// one sees the other. One that is refused at once is seen by nobody
	private void requireSameOrder() {
		try {
			this.instances.requireSameOrder();
			this.instances.write();
			requireSameOrderOrLeave();
		}
		catch (DataAccessException ex) {
			logger.debug("Other instances could not be seen at the start; the heartbeat looks again", ex);
		}
	}

	private void requireSameOrderOrLeave() {
		try {
			this.instances.requireSameOrder();
		}
		catch (OutboxConfigurationException ex) {
			this.instances.remove();
			throw ex;
		}
	}

	@Override
	void run() {
		try {
			boolean seen = this.instances.write();
			this.unreachable = false;
			if (!seen) {
				tell(this.failures, "there is no such table");
				return;
			}
			this.failures.succeeded();
			compare();
			if (this.beats++ % BEATS_BETWEEN_CLEANINGS == 0) {
				this.instances.removeSilent(LONGEST_SILENCE);
			}
		}
		catch (DataAccessException ex) {
			this.unreachable = true;
			logger.debug("This instance cannot be seen by others", ex);
			tell(this.failures, ex.toString());
		}
	}

	private void compare() {
		InstanceDifferences differences = this.instances.findDifferences();
		differences.otherOrder().ifPresentOrElse(this.otherOrder::failed, this.otherOrder::succeeded);
		differences.disagreement().ifPresentOrElse(this.disagreement::failed, this.disagreement::succeeded);
	}

	@Override
	void farewell() {
		if (this.unreachable || !this.relayHasEnded.getAsBoolean()) {
			return;
		}
		try {
			this.instances.remove();
		}
		catch (DataAccessException ex) {
			logger.debug("This instance could not be taken out: others take it for one that was killed", ex);
		}
	}

	/**
	 * Begins before the relay, and ends after it.
	 */
	@Override
	public int getPhase() {
		return OutboxRelay.DEFAULT_PHASE - 2;
	}

}
