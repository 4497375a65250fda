/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.server;

import io.orderedoutbox.servers.EmbeddedMariaDb;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.util.Assert;

/**
 * A MariaDB from a Maven artifact, in a process of its own. It lets every user in and
 * checks no password.
 */
final class PrivateMariaDb implements PrivateDatabase {

	private @Nullable EmbeddedMariaDb server;

	PrivateMariaDb() {
		// It would report each connection that a fault ends
		LoggingSystem.get(PrivateMariaDb.class.getClassLoader()).setLogLevel("ch.vorburger", LogLevel.OFF);
	}

	@Override
	public void start() {
		if (this.server == null) {
			// As the MySQL of the suite: see ServerPlace
			this.server = EmbeddedMariaDb.start("--innodb-lock-wait-timeout=3", "--innodb-buffer-pool-size=128M",
					"--innodb-log-buffer-size=16M");
		}
		else {
			this.server.startAgain();
		}
	}

	@Override
	public void kill() {
		server().kill();
	}

	@Override
	public void stop() {
		if (this.server != null) {
			this.server.close();
		}
	}

	@Override
	public int port() {
		return server().port();
	}

	private EmbeddedMariaDb server() {
		Assert.state(this.server != null, "MariaDB was not started");
		return this.server;
	}

}
