package io.orderedoutbox.monitor;

import java.time.Instant;
import java.util.List;
import java.util.function.Function;

import io.orderedoutbox.relay.OutboxRelay;
import io.orderedoutbox.relay.RelayStatus;
import io.orderedoutbox.relay.RelayStatus.Outage;
import io.orderedoutbox.store.Backlog;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

/**
 * Says whether this instance relays, what keeps it from doing so, and how much waits. The
 * indicator asks neither database nor broker.
 * <p>
 * The indicator is up until a threshold has been reached. What passes by itself reaches
 * none: an application with an outbox goes on without its broker, and a message that has
 * failed is tried again. The indicator has no say in whether the application is alive: no
 * restart mends a backlog.
 */
public final class OutboxHealthIndicator extends AbstractHealthIndicator {

	private static final String UNKNOWN = "unknown";

	private final OutboxRelay relay;

	private final boolean ordered;

	private final @Nullable BacklogSampler sampler;

	private final @Nullable LastSuccess lastSuccess;

	private final HealthThresholds thresholds;

	/**
	 * Create an indicator.
	 * @param relay the relay of this instance
	 * @param ordered whether this instance keeps the order of partition keys
	 * @param sampler knows the backlog, {@code null} if there is no sampler
	 * @param lastSuccess knows when a message was last published, {@code null} if the
	 * application does not keep that
	 * @param thresholds from where on the outbox is not healthy
	 */
	public OutboxHealthIndicator(OutboxRelay relay, boolean ordered, @Nullable BacklogSampler sampler,
			@Nullable LastSuccess lastSuccess, HealthThresholds thresholds) {
		super("The health of the outbox could not be told");
		this.relay = relay;
		this.ordered = ordered;
		this.sampler = sampler;
		this.lastSuccess = lastSuccess;
		this.thresholds = thresholds;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		RelayStatus status = this.relay.status();
		Outage outage = status.outage();
		Backlog backlog = (this.sampler != null) ? this.sampler.current() : null;
		builder.up().withDetail("ordered", this.ordered).withDetail("relay", Names.of(status.state()));
		builder.withDetail("transport", transport(status));
		if (outage != null) {
			builder.withDetail("outage", outage.reason())
				.withDetail("outageSince", Instant.now().minus(outage.duration()).toString());
		}
		builder.withDetail("depth", detail(backlog, Backlog::depth))
			.withDetail("lag", detail(backlog, Backlog::lag).toString())
			.withDetail("stalledKeys", detail(backlog, Backlog::stalledKeys))
			.withDetail("blockedKeys", detail(backlog, Backlog::blockedKeys))
			.withDetail("delayedKeys", detail(backlog, Backlog::delayedKeys))
			.withDetail("stalledFor", detail(backlog, Backlog::stalledFor).toString())
			.withDetail("deadLetters", detail(backlog, Backlog::deadLetters))
			.withDetail("sampleAge", detail(this.sampler, BacklogSampler::age).toString())
			.withDetail("lastSuccess", detail(this.lastSuccess, LastSuccess::time).toString())
			.withDetail("schemaVersion", detail(this.sampler, BacklogSampler::schemaVersion));
		judge(builder, this.thresholds.reached(backlog, outage));
	}

	// While the relay is paused no worker tries
	private static String transport(RelayStatus status) {
		return switch (status.state()) {
			case PAUSED -> UNKNOWN;
			case STOPPED, RUNNING, PAUSING -> (status.outage() != null) ? "lost" : "working";
		};
	}

	private void judge(Health.Builder builder, List<String> reached) {
		if (!reached.isEmpty()) {
			builder.withDetail("thresholds", reached);
			builder.status(switch (this.thresholds.severity()) {
				case DOWN -> Status.DOWN;
				case OUT_OF_SERVICE -> Status.OUT_OF_SERVICE;
				case UP -> Status.UP;
			});
		}
	}

	private static <T> Object detail(@Nullable T source, Function<T, @Nullable Object> property) {
		Object value = (source != null) ? property.apply(source) : null;
		return (value != null) ? value : UNKNOWN;
	}

}
