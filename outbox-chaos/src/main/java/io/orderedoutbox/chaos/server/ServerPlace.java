/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.server;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Where servers of the suite's own live. Their directory can be removed whenever they do
 * not run.
 *
 * @param script the script that runs them, {@code scripts/services}
 * @param directory where they keep programs and data
 * @param programs the directory of another pair whose programs are copied when there are
 * none yet; where it has none, they are downloaded
 * @param databasePort the port of the database
 * @param brokerPort the port of the broker; the two above it are used too
 */
public record ServerPlace(Path script, Path directory, Path programs, int databasePort, int brokerPort) {

	// A small and fast database, but with the durability that the outbox asks for; lock
	// waits that end within a fault
	private static final String MYSQL_OPTIONS = "--performance-schema=OFF --innodb-buffer-pool-size=128M "
			+ "--innodb-log-buffer-size=16M --max-binlog-size=64M --binlog-expire-logs-seconds=300 "
			+ "--max-connections=500 --innodb-lock-wait-timeout=3";

	// The same. A lock is waited for as long as each session says
	private static final String POSTGRESQL_OPTIONS = "-c shared_buffers=128MB -c max_wal_size=512MB";

	/**
	 * Return the place that the environment names, by the variables of the script with
	 * {@code OUTBOX_CHAOS} instead of {@code OUTBOX} in front.
	 * @param environment the environment
	 * @return the place
	 */
	public static ServerPlace of(Map<String, String> environment) {
		String home = environment.getOrDefault("HOME", "/root");
		Path cache = Path.of(environment.getOrDefault("XDG_CACHE_HOME", home + "/.cache"));
		Path programs = Path
			.of(environment.getOrDefault("OUTBOX_SERVICES_DIR", cache.resolve("outbox-services").toString()));
		Path directory = Path.of(environment.getOrDefault("OUTBOX_CHAOS_SERVICES_DIR",
				cache.resolve("outbox-chaos-services").toString()));
		return new ServerPlace(Path.of("scripts", "services").toAbsolutePath(), directory, programs,
				port(environment, "OUTBOX_CHAOS_SERVICES_MYSQL_PORT", 14406),
				port(environment, "OUTBOX_CHAOS_SERVICES_RABBITMQ_PORT", 26773));
	}

	private static int port(Map<String, String> environment, String name, int otherwise) {
		return Integer.parseInt(environment.getOrDefault(name, String.valueOf(otherwise)));
	}

	Map<String, String> variables() {
		Map<String, String> variables = new HashMap<>();
		variables.put("OUTBOX_SERVICES_DIR", this.directory.toString());
		variables.put("OUTBOX_SERVICES_FROM", this.programs.toString());
		variables.put("OUTBOX_SERVICES_MYSQL_PORT", String.valueOf(this.databasePort));
		variables.put("OUTBOX_SERVICES_MYSQL_ARGS", MYSQL_OPTIONS);
		variables.put("OUTBOX_SERVICES_POSTGRESQL_PORT", String.valueOf(this.databasePort));
		variables.put("OUTBOX_SERVICES_POSTGRESQL_ARGS", POSTGRESQL_OPTIONS);
		variables.put("OUTBOX_SERVICES_RABBITMQ_PORT", String.valueOf(this.brokerPort));
		variables.put("OUTBOX_SERVICES_MANAGEMENT", "0");
		return variables;
	}

}
