package io.orderedoutbox.monitor;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.orderedoutbox.admin.BoundedCount;
import io.orderedoutbox.admin.OutboxAdministration;
import io.orderedoutbox.admin.RelayWorkerStatus;
import io.orderedoutbox.admin.StuckCause;
import io.orderedoutbox.admin.StuckKeys;
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
				tell(this.administration.stuck());
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

	private static void tell(StuckKeys stuck) {
		if (isAny(stuck.stalled()) || isAny(stuck.blocked()) || isAny(stuck.deadLetters())) {
			logger.atWarn()
				.addKeyValue("stalled_keys", stuck.stalled().count())
				.addKeyValue("blocked_keys", stuck.blocked().count())
				.addKeyValue("dead_letters", stuck.deadLetters().count())
				.addKeyValue("oldest", stuck.oldest())
				.addKeyValue("causes", causes(stuck.causes()))
				.log("Outbox: {} partition key(s) stalled, {} blocked, {} dead letter(s){}", text(stuck.stalled()),
						text(stuck.blocked()), text(stuck.deadLetters()),
						(stuck.oldest() != null)
								? "; the oldest waits since %s: %s".formatted(stuck.oldest(), causes(stuck.causes()))
								: "");
		}
	}

	private static boolean isAny(BoundedCount count) {
		return count.count() > 0 || count.more();
	}

	private static String text(BoundedCount count) {
		return (count.more() ? "at least " : "") + count.count();
	}

	private static String causes(List<StuckCause> causes) {
		String most = causes.stream()
			.limit(CAUSES)
			.map((cause) -> "%d x exchange '%s': %s".formatted(cause.keys(), cause.exchange(),
					(cause.error() != null) ? cause.error() : "not tried"))
			.collect(Collectors.joining("; "));
		return (causes.size() > CAUSES) ? "%s; and %d more causes".formatted(most, causes.size() - CAUSES) : most;
	}

}
