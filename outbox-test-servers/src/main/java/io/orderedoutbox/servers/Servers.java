/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.servers;

import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * The one place that decides which database and which broker a JVM uses.
 * <ol>
 * <li>An address in the environment: {@code OUTBOX_MYSQL_URL}, {@code _USERNAME},
 * {@code _PASSWORD}, or {@code OUTBOX_POSTGRESQL_URL} and so on where
 * {@code OUTBOX_TEST_DATABASE} is postgresql, or {@code OUTBOX_MARIADB_URL} and so on
 * where it is mariadb; {@code OUTBOX_RABBITMQ_HOST}, {@code _PORT}, {@code _USERNAME},
 * {@code _PASSWORD}.</li>
 * <li>H2 in memory where {@code OUTBOX_TEST_DATABASE} is h2, or h2-MySQL or h2-PostgreSQL
 * for one of its modes.</li>
 * <li>Docker, when Testcontainers is on the class path and an engine answers.</li>
 * <li>The embedded servers: MariaDB and Qpid.</li>
 * </ol>
 * {@code OUTBOX_TEST_SERVERS} (environment, docker or embedded) forces one of them. Each
 * server starts when it is first asked for, is shared by the whole JVM and stops with it,
 * after Spring's application contexts.
 */
public final class Servers {

	private static final String DATABASE_ADDRESS = "OUTBOX_MYSQL_URL";

	private static final String BROKER_ADDRESS = "OUTBOX_RABBITMQ_HOST";

	private static final ServerChoice CHOICE = new ServerChoice(System.getenv(), DockerServers::available);

	private static @Nullable Database database;

	private static @Nullable Broker broker;

	private static @Nullable EmbeddedKafka kafka;

	private Servers() {
	}

	/**
	 * Returns the JVM's database and starts it when nobody has yet.
	 * @return the shared schema: take {@link Database#fresh()} for one of your own
	 */
	public static synchronized Database database() {
		if (database == null) {
			String named = CHOICE.value("OUTBOX_TEST_DATABASE", "");
			if (named.equals("postgresql") || named.equals("mariadb") || named.startsWith("h2")) {
				database = named.startsWith("h2") ? h2(named) : named(named);
				announce(database.kind(), database.describe());
				return database;
			}
			ServerKind kind = CHOICE.choose(DATABASE_ADDRESS);
			database = switch (kind) {
				case ENVIRONMENT -> Database.connect(kind, CHOICE.value(DATABASE_ADDRESS, ""),
						CHOICE.value("OUTBOX_MYSQL_USERNAME", "outbox"),
						CHOICE.value("OUTBOX_MYSQL_PASSWORD", "outbox"));
				case DOCKER -> DockerServers.startDatabase();
				case EMBEDDED -> startEmbeddedDatabase();
			};
			announce(kind, database.describe());
		}
		return database;
	}

	// In memory, and in the mode that the name ends with
	private static Database h2(String name) {
		String mode = name.equals("h2") ? "" : ";MODE=" + name.substring("h2-".length());
		return Database.h2(mode);
	}

	private static Database named(String name) {
		String variable = "OUTBOX_" + name.toUpperCase(Locale.ROOT);
		String url = CHOICE.value(variable + "_URL", "");
		if (url.isEmpty()) {
			throw new IllegalStateException(
					"OUTBOX_TEST_DATABASE=%1$s needs %2$s_URL: start 'scripts/services up %1$s' and run 'eval \"$(scripts/services env)\"', or unset OUTBOX_TEST_DATABASE"
						.formatted(name, variable));
		}
		return Database.connect(ServerKind.ENVIRONMENT, url, CHOICE.value(variable + "_USERNAME", "outbox"),
				CHOICE.value(variable + "_PASSWORD", "outbox"));
	}

	/**
	 * Returns the JVM's broker and starts it when nobody has yet.
	 * @return the shared broker
	 */
	public static synchronized Broker broker() {
		if (broker == null) {
			ServerKind kind = CHOICE.choose(BROKER_ADDRESS);
			broker = switch (kind) {
				case ENVIRONMENT -> Broker.connect(kind, CHOICE.value(BROKER_ADDRESS, ""), brokerPort(),
						CHOICE.value("OUTBOX_RABBITMQ_USERNAME", "guest"),
						CHOICE.value("OUTBOX_RABBITMQ_PASSWORD", "guest"));
				case DOCKER -> DockerServers.startBroker();
				case EMBEDDED -> startEmbeddedBroker();
			};
			announce(kind, broker.describe());
		}
		return broker;
	}

	/**
	 * Returns the JVM's Kafka and starts it when nobody has yet. It is always an embedded
	 * one: it needs no program but what is on the class path.
	 * @return the shared broker, which nobody may kill
	 */
	public static synchronized EmbeddedKafka kafka() {
		if (kafka == null) {
			kafka = EmbeddedKafka.start();
			announce(ServerKind.EMBEDDED, "Kafka at " + kafka.bootstrapServers());
		}
		return kafka;
	}

	private static Database startEmbeddedDatabase() {
		EmbeddedMariaDb server = EmbeddedMariaDb.start();
		return Database.connect(ServerKind.EMBEDDED, server.jdbcUrl(), server.username(), server.password());
	}

	private static Broker startEmbeddedBroker() {
		EmbeddedQpid server = EmbeddedQpid.start();
		return Broker.connect(ServerKind.EMBEDDED, server.host(), server.port(), server.username(), server.password());
	}

	private static int brokerPort() {
		String port = CHOICE.value("OUTBOX_RABBITMQ_PORT", "5672");
		try {
			return Integer.parseInt(port);
		}
		catch (NumberFormatException ex) {
			throw new IllegalStateException("OUTBOX_RABBITMQ_PORT=" + port + " is no port number: correct or unset it",
					ex);
		}
	}

	// Not a log line: it has to be seen whatever the tests do to the log levels.
	private static void announce(ServerKind kind, String server) {
		System.out.println("outbox-test-servers: " + kind + ": " + server);
	}

}
