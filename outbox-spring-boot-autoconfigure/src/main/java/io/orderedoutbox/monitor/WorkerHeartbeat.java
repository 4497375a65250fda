/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

import io.orderedoutbox.jdbc.JdbcThroughput;
import io.orderedoutbox.jdbc.JdbcWorkerRegistry;
import io.orderedoutbox.jdbc.JdbcWorkerRegistry.Instance;
import io.orderedoutbox.jdbc.JdbcWorkerRegistry.Worker;
import io.orderedoutbox.relay.OutboxRelay;
import io.orderedoutbox.relay.RelayStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says now and then what the workers of this instance are doing, with one statement for
 * all of them, and how much was published, with another one if there was something; asks
 * whether all instances are paused; and removes the instance when it stops. The relay
 * needs none of it, and works as well without the tables; each of them is used also where
 * another is missing.
 */
public final class WorkerHeartbeat extends BackgroundTask {

	private static final Logger logger = LoggerFactory.getLogger(WorkerHeartbeat.class);

	// The relay starts a moment later
	private static final Duration FIRST = Duration.ofMillis(500);

	private static final int BEATS_BETWEEN_CLEANINGS = 20;

	// An instance may well miss some beats
	private static final int BEATS_TO_MISS = 10;

	private static final Duration SHORTEST_SILENCE = Duration.ofMinutes(2);

	private final OutboxRelay relay;

	private final JdbcWorkerRegistry registry;

	private final ThroughputReport throughput;

	private final CommonPause pause;

	private final Duration interval;

	private final String instance = UUID.randomUUID().toString();

	private final long beganAt = System.nanoTime();

	private int beats;

	private boolean unreachable;

	private final FailureLog failures;

	/**
	 * Create a heartbeat.
	 * @param relay the relay of this instance
	 * @param registry where to say it
	 * @param throughput where to add what was published
	 * @param pause is obeyed
	 * @param interval how often, zero for never
	 */
	public WorkerHeartbeat(OutboxRelay relay, JdbcWorkerRegistry registry, JdbcThroughput throughput, CommonPause pause,
			Duration interval) {
		super("outbox-monitor-heartbeat", FIRST, interval);
		this.relay = relay;
		this.registry = registry;
		this.throughput = new ThroughputReport(throughput, relay::published);
		this.pause = pause;
		this.interval = interval;
		String table = registry.table();
		this.failures = new FailureLog(logger, table, "The workers of this instance cannot be shown in table " + table
				+ ". The relay works all the same. If the table is missing, create it with the script of the outbox, "
				+ "or set outbox.monitor.heartbeat-interval=0s",
				"The workers of this instance are shown in table " + table + " again");
	}

	/**
	 * Return under which id the workers of this instance are found.
	 * @return the id, another one after each start of the application
	 */
	public String instance() {
		return this.instance;
	}

	/**
	 * How much this instance has published that is not yet part of what all have.
	 */
	public long unreported() {
		return this.throughput.remaining();
	}

	@Override
	void run() {
		try {
			this.pause.obey();
			this.throughput.add();
			boolean shown = this.registry.write(new Instance(this.instance, Host.name(), ProcessHandle.current().pid(),
					Duration.ofNanos(System.nanoTime() - this.beganAt)), workers(this.relay.status()));
			if (this.beats++ % BEATS_BETWEEN_CLEANINGS == 0) {
				Duration silence = this.interval.multipliedBy(BEATS_TO_MISS);
				this.registry.removeSilent((silence.compareTo(SHORTEST_SILENCE) > 0) ? silence : SHORTEST_SILENCE);
				this.throughput.clean();
			}
			this.unreachable = false;
			if (shown) {
				this.failures.succeeded();
			}
			else {
				tell(this.failures, "there is no such table");
			}
		}
		catch (RuntimeException ex) {
			this.unreachable = true;
			logger.debug("The workers of this instance cannot be shown", ex);
			tell(this.failures, ex.toString());
		}
	}

	private static List<Worker> workers(RelayStatus status) {
		return status.workers()
			.stream()
			.map((worker) -> new Worker(worker.number(), Names.of(worker.state()), worker.batches(),
					worker.keysInHand()))
			.toList();
	}

	@Override
	void farewell() {
		if (this.unreachable) {
			return;
		}
		try {
			this.registry.remove(this.instance);
			this.throughput.add();
		}
		catch (RuntimeException ex) {
			logger.debug("This instance could not be removed from the table of workers: others will do it", ex);
		}
	}

	/**
	 * Ends after the relay and its connection to the broker, so that its last report is
	 * complete.
	 */
	@Override
	public int getPhase() {
		return OutboxRelay.DEFAULT_PHASE - 2;
	}

}
