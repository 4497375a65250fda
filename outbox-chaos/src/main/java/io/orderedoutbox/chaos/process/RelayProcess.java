package io.orderedoutbox.chaos.process;

import java.util.ArrayList;
import java.util.List;

import io.orderedoutbox.chaos.app.RelayApplication;
import io.orderedoutbox.servers.TcpProxy;

/**
 * A process that only relays, with a network of its own to database and broker.
 */
public final class RelayProcess extends JvmProcess {

	private final Site site;

	private final TcpProxy toDatabase;

	private final TcpProxy toBroker;

	/**
	 * Create a relay, which is not started yet.
	 * @param name its name
	 * @param site where it runs
	 */
	public RelayProcess(String name, Site site) {
		super(name, RelayApplication.class, site.directory());
		this.site = site;
		this.toDatabase = site.proxyToDatabase();
		this.toBroker = site.proxyToBroker();
	}

	@Override
	List<String> arguments() {
		List<String> arguments = new ArrayList<>(this.site.propertyArguments());
		arguments.addAll(this.site.databaseArguments(this.toDatabase));
		arguments.addAll(this.site.brokerArguments(this.toBroker));
		return arguments;
	}

	/**
	 * Return its network to the database.
	 * @return a proxy that nobody else uses
	 */
	public TcpProxy toDatabase() {
		return this.toDatabase;
	}

	/**
	 * Return its network to the broker.
	 * @return a proxy that nobody else uses
	 */
	public TcpProxy toBroker() {
		return this.toBroker;
	}

	@Override
	public void close() {
		super.close();
		this.toDatabase.close();
		this.toBroker.close();
	}

}
