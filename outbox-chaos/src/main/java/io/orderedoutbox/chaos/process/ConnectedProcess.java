/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.process;

import java.util.ArrayList;
import java.util.List;

import io.orderedoutbox.servers.TcpProxy;

/**
 * A process with a network of its own to database and broker.
 */
public abstract class ConnectedProcess extends JvmProcess {

	private final Site site;

	private final TcpProxy toDatabase;

	private final TcpProxy toBroker;

	ConnectedProcess(String name, Class<?> main, Site site) {
		super(name, main, site.directory());
		this.site = site;
		this.toDatabase = site.proxyToDatabase();
		this.toBroker = site.proxyToBroker();
	}

	@Override
	final List<String> arguments() {
		List<String> arguments = new ArrayList<>(this.site.propertyArguments());
		arguments.addAll(this.site.databaseArguments(this.toDatabase));
		arguments.addAll(this.site.brokerArguments(this.toBroker));
		return arguments;
	}

	/**
	 * Return its network to the database.
	 * @return a proxy that nobody else uses
	 */
	public final TcpProxy toDatabase() {
		return this.toDatabase;
	}

	/**
	 * Return its network to the broker.
	 * @return a proxy that nobody else uses
	 */
	public final TcpProxy toBroker() {
		return this.toBroker;
	}

	@Override
	public final void close() {
		super.close();
		this.toDatabase.close();
		this.toBroker.close();
	}

}
