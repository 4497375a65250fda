package io.orderedoutbox.monitor;

import java.lang.management.ManagementFactory;
import java.lang.management.RuntimeMXBean;
import java.time.Instant;
import java.util.List;

import io.orderedoutbox.monitor.InstanceDescriptor.WorkerDescriptor;
import io.orderedoutbox.monitor.OverviewDescriptor.RelayDescriptor;
import io.orderedoutbox.relay.OutboxRelay;
import org.jspecify.annotations.Nullable;

/**
 * Knows the instance that it is in, and no other.
 */
public final class ThisInstance implements Instances {

	private final @Nullable OutboxRelay relay;

	private final RuntimeMXBean runtime = ManagementFactory.getRuntimeMXBean();

	/**
	 * Create it.
	 * @param relay the relay of this instance, {@code null} if it only writes
	 */
	public ThisInstance(@Nullable OutboxRelay relay) {
		this.relay = relay;
	}

	@Override
	public List<InstanceDescriptor> list() {
		// The JVM says "process@host"
		String host = this.runtime.getName().replaceFirst("^\\d+@", "");
		return List.of(new InstanceDescriptor(host, this.runtime.getPid(),
				Instant.ofEpochMilli(this.runtime.getStartTime()), true, RelayDescriptor.of(this.relay), workers(), 0));
	}

	private List<WorkerDescriptor> workers() {
		return (this.relay != null) ? this.relay.status().workers().stream().map(WorkerDescriptor::of).toList()
				: List.of();
	}

}
