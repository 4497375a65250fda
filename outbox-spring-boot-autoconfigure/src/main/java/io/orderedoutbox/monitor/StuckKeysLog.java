/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

import io.orderedoutbox.admin.FailureGroup;
import io.orderedoutbox.admin.FailureGroups;
import io.orderedoutbox.admin.OutboxAdministration;
import io.orderedoutbox.admin.RelayWorkerStatus;
import io.orderedoutbox.relay.RelayStatus;
import io.orderedoutbox.relay.RelayStatus.Outage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says what is stuck, at the start and then at long intervals, as long as anything is: a
 * message that fails is a line in the log only when it begins to.
 * <p>
 * At its start each instance says it, afterwards the one that has been relaying for
 * longest. An outage is said by each instance that has it.
 */
public final class StuckKeysLog extends BackgroundTask {

	private static final Logger logger = LoggerFactory.getLogger(StuckKeysLog.class);

	private static final int CAUSES = 3;

	// An instance that has been silent for longer has died
	private static final Duration SILENCE = Duration.ofMinutes(1);

	private final OutboxAdministration administration;

	private final Supplier<RelayStatus> relay;

	private final Supplier<List<RelayWorkerStatus>> workers;

	private final String instance;

	private final Duration interval;

	private boolean hasLooked;

	/**
	 * Create a log.
	 * @param administration looks at what is stuck
	 * @param relay the relay of this instance
	 * @param workers the workers of all instances, those of the oldest instance first
	 * @param instance under which id those of this one are found
	 * @param interval how often it is said, zero for never
	 */
	public StuckKeysLog(OutboxAdministration administration, Supplier<RelayStatus> relay,
			Supplier<List<RelayWorkerStatus>> workers, String instance, Duration interval) {
		super("outbox-stuck-keys-log", Duration.ZERO, interval);
		this.administration = administration;
		this.relay = relay;
		this.workers = workers;
		this.instance = instance;
		this.interval = interval;
	}

	@Override
	void run() {
		Outage outage = this.relay.get().outage();
		if (outage != null) {
			logger.atWarn()
				.addKeyValue("state", "fails")
				.addKeyValue("error", outage.reason())
				.log("Outbox: nothing can be sent since {}: {}. Messages are kept, and the relay tries again until it can",
						Instant.now().minus(outage.duration()), outage.reason());
		}
		try {
			if (!this.hasLooked || isFirst(this.workers.get())) {
				tell(this.administration.groups());
				this.hasLooked = true;
			}
		}
		catch (RuntimeException ex) {
			// A database that is away is an outage, or known to the sampler
			logger.debug("What is stuck could not be found out, and will be in {}", this.interval, ex);
		}
	}

	// Where no instance tells what its workers do, each one is the first
	private boolean isFirst(List<RelayWorkerStatus> all) {
		return all.stream()
			.filter((worker) -> worker.silence().compareTo(SILENCE) < 0)
			.findFirst()
			.map((worker) -> worker.instance().equals(this.instance))
			.orElse(true);
	}

	private static void tell(FailureGroups failures) {
		long stalled = sum(failures, FailureGroup::stalled);
		long blocked = sum(failures, FailureGroup::blocked);
		long dead = sum(failures, FailureGroup::deadLetters);
		if (stalled + blocked + dead == 0) {
			return;
		}
		List<FailureGroup> holding = failures.groups().stream().filter((group) -> group.keys() > 0).toList();
		Instant oldest = holding.stream().map(FailureGroup::oldest).min(Comparator.naturalOrder()).orElse(null);
		logger.atWarn()
			.addKeyValue("stalled_keys", stalled)
			.addKeyValue("blocked_keys", blocked)
			.addKeyValue("dead_letters", dead)
			.addKeyValue("oldest", oldest)
			.addKeyValue("causes", causes(holding))
			.log("Outbox: {}{} partition key(s) stalled, {} blocked, {} dead letter(s){}",
					failures.more() ? "at least " : "", stalled, blocked, dead,
					(oldest != null) ? "; the oldest waits since %s: %s".formatted(oldest, causes(holding)) : "");
	}

	private static long sum(FailureGroups failures, ToLongFunction<FailureGroup> count) {
		return failures.groups().stream().mapToLong(count).sum();
	}

	private static String causes(List<FailureGroup> groups) {
		String most = groups.stream()
			.limit(CAUSES)
			.map((group) -> "%d x %s".formatted(group.keys(), group.group()))
			.collect(Collectors.joining("; "));
		return (groups.size() > CAUSES) ? "%s; and %d more causes".formatted(most, groups.size() - CAUSES) : most;
	}

}
