/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.process;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.orderedoutbox.chaos.server.ControlledServers;
import io.orderedoutbox.servers.TcpProxy;

/**
 * Where a process runs.
 *
 * @param directory where its files are
 * @param servers what it uses
 * @param jdbcUrl the schema of its outbox
 * @param properties what all applications of its kind are told
 */
public record Site(Path directory, ControlledServers servers, String jdbcUrl, Map<String, String> properties) {

	/**
	 * Create a site.
	 */
	public Site {
		properties = Map.copyOf(properties);
	}

	/**
	 * Return the same site with another schema.
	 * @param url the JDBC URL
	 * @return the site
	 */
	public Site withDatabase(String url) {
		return new Site(this.directory, this.servers, url, this.properties);
	}

	TcpProxy proxyToDatabase() {
		URI url = URI.create(this.jdbcUrl.substring("jdbc:".length()));
		return TcpProxy.to(url.getHost(), url.getPort());
	}

	TcpProxy proxyToBroker() {
		return TcpProxy.to(this.servers.brokerHost(), this.servers.brokerPort());
	}

	List<String> propertyArguments() {
		return this.properties.entrySet()
			.stream()
			.map((property) -> "--" + property.getKey() + "=" + property.getValue())
			.toList();
	}

	List<String> databaseArguments(TcpProxy proxy) {
		String url = this.jdbcUrl.replaceFirst("//[^/]+/", "//%s:%d/".formatted(proxy.host(), proxy.port()));
		return List.of("--spring.datasource.url=" + url, "--spring.datasource.username=" + this.servers.databaseUser(),
				"--spring.datasource.password=" + this.servers.databasePassword());
	}

	List<String> brokerArguments(TcpProxy proxy) {
		return List.of("--spring.rabbitmq.host=" + proxy.host(), "--spring.rabbitmq.port=" + proxy.port(),
				"--spring.rabbitmq.username=" + this.servers.brokerUser(),
				"--spring.rabbitmq.password=" + this.servers.brokerPassword());
	}

}
