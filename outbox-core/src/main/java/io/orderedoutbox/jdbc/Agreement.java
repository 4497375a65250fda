package io.orderedoutbox.jdbc;

import java.time.Duration;

import io.orderedoutbox.OutboxConfigurationException;
import org.jspecify.annotations.Nullable;

/**
 * Whether this instance may publish and relay: not while it is known to keep another
 * order, or to count other partitions, than the outbox and its other instances do. What
 * it wrote would go to the wrong partitions, and no error would tell of it.
 */
public final class Agreement {

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private final OutboxDatabase database;

	private volatile @Nullable Refusal refusal;

	private volatile boolean pending;

	Agreement(OutboxDatabase database) {
		this.database = database;
	}

	/**
	 * Let nothing be published or relayed until further notice.
	 */
	void refuse(OutboxConfigurationException reason) {
		this.refusal = new Refusal(reason.getDescription(), reason.getRemedy());
	}

	/**
	 * Let it go on.
	 */
	void agree() {
		this.refusal = null;
		this.pending = false;
	}

	/**
	 * Let whoever publishes or relays next see how many partitions there are: the
	 * database could not be asked.
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
			this.database.read(PATIENCE, (jdbc) -> {
				new PartitionCheck(this.database).run(jdbc);
				return true;
			});
			this.pending = false;
		}
		Refusal known = this.refusal;
		if (known != null) {
			throw new OutboxConfigurationException(known.description(), known.remedy());
		}
	}

	/**
	 * Why nothing may be published.
	 */
	private record Refusal(String description, String remedy) {

	}

}
