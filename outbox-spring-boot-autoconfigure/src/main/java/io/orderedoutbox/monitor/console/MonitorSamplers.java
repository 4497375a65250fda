/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor.console;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

import org.springframework.context.SmartLifecycle;

/**
 * A {@link MonitorSampler} for each outbox of an application.
 */
public final class MonitorSamplers implements SmartLifecycle {

	private final OutboxConsoles consoles;

	private final Map<OutboxConsole, MonitorSampler> samplers = new HashMap<>();

	/**
	 * Create them.
	 * @param consoles are asked
	 */
	public MonitorSamplers(OutboxConsoles consoles) {
		this.consoles = consoles;
		consoles.forEach((console) -> this.samplers.put(console, new MonitorSampler(console)));
	}

	/**
	 * What the sampler of an outbox saw last.
	 */
	MonitorSampler.Sample current(OutboxConsole console) {
		return of(console).current();
	}

	private MonitorSampler of(OutboxConsole console) {
		return Objects.requireNonNull(this.samplers.get(console));
	}

	@Override
	public void start() {
		this.consoles.forEach((console) -> of(console).start());
	}

	@Override
	public void stop() {
		this.samplers.values().forEach(MonitorSampler::stop);
	}

	@Override
	public boolean isRunning() {
		return this.samplers.values().stream().anyMatch(MonitorSampler::isRunning);
	}

}
