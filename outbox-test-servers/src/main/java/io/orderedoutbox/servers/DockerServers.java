/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.servers;

import org.testcontainers.DockerClientFactory;
import org.testcontainers.mysql.MySQLContainer;
import org.testcontainers.rabbitmq.RabbitMQContainer;

/**
 * Starts the servers in containers. Testcontainers is optional, so its types are named
 * only in the nested classes, which load when they are used.
 */
final class DockerServers {

	private static final String MYSQL_IMAGE = "mysql:8.4";

	private static final String RABBITMQ_IMAGE = "rabbitmq:4";

	private DockerServers() {
	}

	static boolean available() {
		return ClassPath.has("org.testcontainers.mysql.MySQLContainer")
				&& ClassPath.has("org.testcontainers.rabbitmq.RabbitMQContainer") && Engine.answers();
	}

	static Database startDatabase() {
		return MySql.start();
	}

	static Broker startBroker() {
		return RabbitMq.start();
	}

	private static final class Engine {

		private Engine() {
		}

		static boolean answers() {
			return DockerClientFactory.instance().isDockerAvailable();
		}

	}

	private static final class MySql {

		private MySql() {
		}

		static Database start() {
			MySQLContainer container = new MySQLContainer(MYSQL_IMAGE);
			// root, because an ordinary user of this image cannot create schemas
			container.withUsername("root")
				.withUrlParam("sslMode", "DISABLED")
				.withUrlParam("allowPublicKeyRetrieval", "true");
			container.start();
			ExitActions.add(container::stop);
			return Database.connect(ServerKind.DOCKER, container.getJdbcUrl(), container.getUsername(),
					container.getPassword());
		}

	}

	private static final class RabbitMq {

		private RabbitMq() {
		}

		static Broker start() {
			RabbitMQContainer container = new RabbitMQContainer(RABBITMQ_IMAGE);
			container.start();
			ExitActions.add(container::stop);
			return Broker.connect(ServerKind.DOCKER, container.getHost(), container.getAmqpPort(),
					container.getAdminUsername(), container.getAdminPassword());
		}

	}

}
