package io.orderedoutbox.inbox.monitor;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.orderedoutbox.inbox.InboxCounts;
import io.orderedoutbox.inbox.InboxPurge;
import io.orderedoutbox.inbox.listener.ShardDeliveries;
import io.orderedoutbox.inbox.listener.ShardRetries;
import io.orderedoutbox.inbox.shard.ShardSampler;
import io.orderedoutbox.inbox.shard.ShardStatus;
import org.jspecify.annotations.Nullable;

/**
 * What metrics, health, endpoint and page have in common: what this instance knows of the
 * inbox and of the queues of shards. Whoever asks waits neither for the broker nor for
 * the database.
 */
public final class InboxConsole {

	private final InboxCounts counts;

	private final ShardSampler sampler;

	private final ShardDeliveries deliveries;

	private final AllRetries retries;

	private final @Nullable InboxPurge purge;

	private final Map<String, String> settings;

	/**
	 * Create a console.
	 * @param counts knows what has become of messages
	 * @param sampler knows what the broker says of the queues
	 * @param deliveries knows when this instance was handed messages
	 * @param retries tell what is held back; asked each time
	 * @param purge removes old records, {@code null} if there is no inbox
	 * @param settings the properties that are in effect
	 */
	public InboxConsole(InboxCounts counts, ShardSampler sampler, ShardDeliveries deliveries,
			Supplier<List<ShardRetries>> retries, @Nullable InboxPurge purge, Map<String, String> settings) {
		this.counts = counts;
		this.sampler = sampler;
		this.deliveries = deliveries;
		this.retries = new AllRetries(retries);
		this.purge = purge;
		this.settings = settings;
	}

	/**
	 * Return all that is known.
	 * @return the inbox at a glance
	 */
	public InboxDescriptor overview() {
		Duration age = this.sampler.age();
		return new InboxDescriptor(this.counts.consumers().stream().map(ConsumerDescriptor::of).toList(), shards(),
				(age != null) ? age.toMillis() : null, (this.purge != null) ? this.purge.failingSince() : null,
				this.settings);
	}

	private List<ShardDescriptor> shards() {
		Map<String, ShardStatus> known = statuses();
		boolean retried = this.retries.areKnown();
		return queues().stream()
			.map((queue) -> ShardDescriptor.of(queue, known.get(queue), this.deliveries.last(queue),
					retried ? this.retries.of(queue) : null))
			.toList();
	}

	/**
	 * Whether there is an inbox, and not queues of shards alone.
	 */
	boolean hasInbox() {
		return this.purge != null;
	}

	List<String> queues() {
		return this.sampler.queues();
	}

	AllRetries retries() {
		return this.retries;
	}

	@Nullable ShardStatus status(String queue) {
		List<ShardStatus> current = this.sampler.current();
		return (current == null) ? null
				: current.stream().filter((status) -> status.queue().equals(queue)).findFirst().orElse(null);
	}

	private Map<String, ShardStatus> statuses() {
		List<ShardStatus> current = this.sampler.current();
		return (current != null) ? current.stream().collect(Collectors.toMap(ShardStatus::queue, Function.identity()))
				: Map.of();
	}

}
