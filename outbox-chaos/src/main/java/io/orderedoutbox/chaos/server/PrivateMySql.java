package io.orderedoutbox.chaos.server;

/**
 * A MySQL that {@code scripts/services} runs.
 *
 * @param script the script
 * @param port its port
 */
record PrivateMySql(ServicesScript script, int port) implements PrivateDatabase {

	@Override
	public void start() {
		this.script.run("up", "mysql");
	}

	@Override
	public void kill() {
		this.script.run("kill", "mysql");
	}

	@Override
	public void stop() {
		this.script.run("down", "mysql");
	}

}
