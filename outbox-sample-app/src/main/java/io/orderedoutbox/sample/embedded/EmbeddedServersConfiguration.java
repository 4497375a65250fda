/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.sample.embedded;

import java.util.List;

import io.orderedoutbox.servers.EmbeddedMariaDb;
import io.orderedoutbox.servers.EmbeddedQpid;

import org.springframework.boot.amqp.autoconfigure.RabbitConnectionDetails;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;

/**
 * Starts MariaDB and Qpid and tells Spring Boot where they are, unless a profile names
 * other servers. Their data is gone when the application stops.
 */
@Configuration(proxyBeanMethods = false)
@Profile("!docker & !services")
class EmbeddedServersConfiguration {

	@Bean
	EmbeddedMariaDb embeddedMariaDb() {
		return EmbeddedMariaDb.start();
	}

	@Bean
	EmbeddedQpid embeddedQpid() {
		return EmbeddedQpid.start();
	}

	@Bean
	JdbcConnectionDetails embeddedJdbcConnectionDetails(EmbeddedMariaDb server) {
		return new MariaDbConnectionDetails(server);
	}

	@Bean
	RabbitConnectionDetails embeddedRabbitConnectionDetails(EmbeddedQpid server) {
		return new QpidConnectionDetails(server);
	}

	private record MariaDbConnectionDetails(EmbeddedMariaDb server) implements JdbcConnectionDetails {

		@Override
		public String getJdbcUrl() {
			return this.server.jdbcUrl();
		}

		@Override
		public String getUsername() {
			return this.server.username();
		}

		@Override
		public String getPassword() {
			return this.server.password();
		}

	}

	private record QpidConnectionDetails(EmbeddedQpid server) implements RabbitConnectionDetails {

		@Override
		public List<Address> getAddresses() {
			return List.of(new Address(this.server.host(), this.server.port()));
		}

		@Override
		public String getUsername() {
			return this.server.username();
		}

		@Override
		public String getPassword() {
			return this.server.password();
		}

	}

}
