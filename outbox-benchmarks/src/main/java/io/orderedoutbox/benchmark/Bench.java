package io.orderedoutbox.benchmark;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

import io.orderedoutbox.servers.Broker;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;

/**
 * Where a scenario is measured, and with what.
 *
 * @param rounds how often everything is measured
 * @param payloadBytes size of a payload
 * @param queueType type of the queues: classic or quorum
 * @param scale what the numbers of messages are multiplied by: 1 for figures that count
 * @param tuning how the instances differ from the ordinary one
 */
record Bench(int rounds, int payloadBytes, String queueType, double scale, Tuning tuning) {

	// What is measured with cold code says little: the JVM compiles it on the same cores
	private static final double MOST_COMPILING = 0.1;

	private static final double LONGEST_WARM_UP_SECONDS = 30;

	/**
	 * Do again and again what will be measured, until hardly anything of it is still
	 * compiled, or half a minute is over.
	 */
	void warmUp(Step step) throws Exception {
		CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();
		long end = System.nanoTime() + (long) (LONGEST_WARM_UP_SECONDS * Math.min(1, this.scale) * 1e9);
		double compiling;
		do {
			long compiled = compiler.getTotalCompilationTime();
			long begun = System.nanoTime();
			step.run();
			compiling = (compiler.getTotalCompilationTime() - compiled) * 1e6 / (System.nanoTime() - begun);
		}
		while (compiling > MOST_COMPILING && System.nanoTime() < end);
	}

	Database freshDatabase() {
		return Servers.database().fresh();
	}

	/**
	 * A connection that has nothing to do with an instance, and is not counted.
	 */
	Connection connect(Database database) throws SQLException {
		return DriverManager.getConnection(database.jdbcUrl(), database.username(), database.password());
	}

	Broker broker() {
		return Servers.broker();
	}

	BenchQueue freshQueue() {
		return BenchQueue.declare(broker(), this.queueType);
	}

	Payloads payloads() {
		return new Payloads(this.payloadBytes);
	}

	int scaled(int messages) {
		return Math.max(1_000, (int) (messages * this.scale));
	}

	/**
	 * An instance of an application with the outbox, with default settings but for what
	 * was said on the command line.
	 */
	Instance.Builder instance(Database database) {
		return this.tuning.of(new Instance.Builder(database, broker()));
	}

	/**
	 * Something that is done again and again.
	 */
	@FunctionalInterface
	interface Step {

		void run() throws Exception;

	}

}
