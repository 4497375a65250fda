package io.orderedoutbox.monitor;

import io.orderedoutbox.relay.OutboxRelay;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Says whether this instance relays, and what keeps it from doing so.
 * <p>
 * It is up all the same: an application with an outbox goes on without its broker, and
 * the contributors of broker and database speak for themselves.
 */
public final class OutboxHealthIndicator extends AbstractHealthIndicator {

	private final OutboxRelay relay;

	/**
	 * Create an indicator.
	 * @param relay the relay of this instance
	 */
	public OutboxHealthIndicator(OutboxRelay relay) {
		super("The health of the outbox could not be told");
		this.relay = relay;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		String outage = this.relay.outage();
		builder.up().withDetail("relay", this.relay.isRunning() ? "running" : "stopped");
		builder.withDetail("transport", (outage != null) ? "lost" : "working");
		if (outage != null) {
			builder.withDetail("outage", outage);
		}
	}

}
