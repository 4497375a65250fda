/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor.console;

import java.lang.management.ManagementFactory;
import java.lang.management.RuntimeMXBean;
import java.time.Instant;
import java.util.List;

import io.orderedoutbox.monitor.Host;
import io.orderedoutbox.monitor.console.InstanceDescriptor.WorkerDescriptor;
import io.orderedoutbox.monitor.console.OverviewDescriptor.RelayDescriptor;
import io.orderedoutbox.relay.OutboxRelay;
import io.orderedoutbox.relay.RelayStatus;
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
		RelayStatus status = (this.relay != null) ? this.relay.status() : null;
		RelayDescriptor seen = RelayDescriptor.of(status);
		List<WorkerDescriptor> workers = (status != null) ? status.workers().stream().map(WorkerDescriptor::of).toList()
				: List.of();
		return List.of(new InstanceDescriptor(Host.name(), this.runtime.getPid(),
				Instant.ofEpochMilli(this.runtime.getStartTime()), true, seen.state(), seen, workers, 0));
	}

	/**
	 * How it is called in the audit trail.
	 */
	static String words() {
		return "instance %s/%d".formatted(Host.name(), ProcessHandle.current().pid());
	}

}
