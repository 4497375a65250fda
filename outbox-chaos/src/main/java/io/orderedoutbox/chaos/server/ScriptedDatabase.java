/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.server;

/**
 * A database that {@code scripts/services} runs.
 *
 * @param script the script
 * @param service what the script calls it
 * @param port its port
 */
record ScriptedDatabase(ServicesScript script, String service, int port) implements PrivateDatabase {

	@Override
	public void start() {
		this.script.run("up", this.service);
	}

	@Override
	public void kill() {
		this.script.run("kill", this.service);
	}

	@Override
	public void stop() {
		this.script.run("down", this.service);
	}

}
