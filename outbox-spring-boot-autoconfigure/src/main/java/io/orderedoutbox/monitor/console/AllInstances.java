/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor.console;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.orderedoutbox.admin.RelayWorkerStatus;
import io.orderedoutbox.admin.RelayWorkers;
import io.orderedoutbox.jdbc.JdbcThroughput;
import io.orderedoutbox.monitor.CommonPause;
import io.orderedoutbox.monitor.WorkerHeartbeat;
import org.jspecify.annotations.Nullable;

/**
 * Knows the instance that it is in, and all others that have lately said what they are
 * doing. While the database does not answer, it does not pretend that there is no other.
 */
public final class AllInstances implements Instances {

	private final Instances self;

	private final @Nullable WorkerHeartbeat heartbeat;

	private final RelayWorkers workers;

	private final @Nullable JdbcThroughput throughput;

	private final @Nullable CommonPause pause;

	/**
	 * Create it.
	 * @param self knows this instance
	 * @param heartbeat knows under which id this instance says what it is doing,
	 * {@code null} if it does not
	 * @param workers the workers of all instances
	 * @param throughput what all instances have published, {@code null} if they do not
	 * say so
	 * @param pause the pause of all instances, {@code null} if they do not ask for it
	 */
	public AllInstances(Instances self, @Nullable WorkerHeartbeat heartbeat, RelayWorkers workers,
			@Nullable JdbcThroughput throughput, @Nullable CommonPause pause) {
		this.self = self;
		this.heartbeat = heartbeat;
		this.workers = workers;
		this.throughput = throughput;
		this.pause = pause;
	}

	@Override
	public List<InstanceDescriptor> list() {
		List<InstanceDescriptor> all = new ArrayList<>(this.self.list());
		others().values().stream().map(InstanceDescriptor::other).forEach(all::add);
		return all;
	}

	private Map<String, List<RelayWorkerStatus>> others() {
		Map<String, List<RelayWorkerStatus>> found = this.workers.list()
			.stream()
			.collect(Collectors.groupingBy(RelayWorkerStatus::instance, LinkedHashMap::new, Collectors.toList()));
		if (this.heartbeat != null) {
			found.remove(this.heartbeat.instance());
		}
		return found;
	}

	/**
	 * {@inheritDoc} Of other instances it is what they have said with their last
	 * heartbeat.
	 */
	@Override
	public @Nullable List<Long> publishedPerMinute() {
		List<Long> hour = (this.throughput != null) ? this.throughput.lastHour() : null;
		if (hour != null && this.heartbeat != null) {
			int current = hour.size() - 1;
			hour.set(current, hour.get(current) + this.heartbeat.unreported());
		}
		return hour;
	}

	@Override
	public boolean isPaused() {
		return this.pause != null && this.pause.isSet();
	}

	@Override
	public void pause(boolean paused) {
		if (this.pause == null) {
			Instances.super.pause(paused);
		}
		else {
			this.pause.set(paused);
		}
	}

}
