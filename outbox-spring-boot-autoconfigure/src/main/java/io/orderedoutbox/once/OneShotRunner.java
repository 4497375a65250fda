/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.once;

import io.orderedoutbox.relay.OneShotRelay;
import io.orderedoutbox.relay.OneShotResult;
import io.orderedoutbox.relay.OutboxRelay;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.ExitCodeGenerator;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.Ordered;

/**
 * Drains the outbox when the application has started, after its other runners, and knows
 * the exit code afterwards. When the application is stopped meanwhile, nothing more is
 * sent, and messages in flight are waited for.
 */
public final class OneShotRunner implements ApplicationRunner, ExitCodeGenerator, SmartLifecycle, Ordered {

	private static final Logger logger = LoggerFactory.getLogger(OneShotRunner.class);

	private final OneShotRelay relay;

	private final OneShotOutput output;

	private final int workers;

	private volatile ExitCode exitCode = ExitCode.PUBLISHED;

	private volatile boolean running;

	/**
	 * Create a runner.
	 * @param relay what it runs
	 * @param output what it tells about it
	 * @param workers how many workers the relay has
	 */
	public OneShotRunner(OneShotRelay relay, OneShotOutput output, int workers) {
		this.relay = relay;
		this.output = output;
		this.workers = workers;
	}

	@Override
	public void run(ApplicationArguments arguments) throws InterruptedException {
		OneShotResult result = this.relay.drain((batch) -> this.output.batch(batch, this.workers));
		this.exitCode = ExitCode.of(result);
		this.output.end(result);
		logger.atInfo()
			.addKeyValue("ending", result.ending())
			.addKeyValue("published", result.totals().published())
			.addKeyValue("failed", result.totals().failed())
			.addKeyValue("exit_code", getExitCode())
			.log("Outbox drained once");
	}

	@Override
	public int getExitCode() {
		return this.exitCode.code();
	}

	@Override
	public void start() {
		this.running = true;
	}

	@Override
	public void stop() {
		this.running = false;
		this.relay.stop();
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public int getPhase() {
		return OutboxRelay.DEFAULT_PHASE;
	}

	@Override
	public int getOrder() {
		return Ordered.LOWEST_PRECEDENCE;
	}

}
