/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.process;

import java.util.ArrayList;
import java.util.List;

import io.orderedoutbox.chaos.app.WriterApplication;
import io.orderedoutbox.servers.TcpProxy;

/**
 * A process that only writes, with a network of its own to the database.
 */
public final class WriterProcess extends JvmProcess {

	private final Site site;

	private final TcpProxy toDatabase;

	/**
	 * Create a writer, which is not started yet.
	 * @param name its name
	 * @param site where it runs
	 */
	public WriterProcess(String name, Site site) {
		super(name, WriterApplication.class, site.directory());
		this.site = site;
		this.toDatabase = site.proxyToDatabase();
	}

	@Override
	List<String> arguments() {
		List<String> arguments = new ArrayList<>(this.site.propertyArguments());
		arguments.addAll(this.site.databaseArguments(this.toDatabase));
		return arguments;
	}

	/**
	 * Return its network to the database.
	 * @return a proxy that nobody else uses
	 */
	public TcpProxy toDatabase() {
		return this.toDatabase;
	}

	@Override
	public void close() {
		super.close();
		this.toDatabase.close();
	}

}
