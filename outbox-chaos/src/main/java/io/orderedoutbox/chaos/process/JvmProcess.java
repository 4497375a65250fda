/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

import org.springframework.util.Assert;

/**
 * A Java process of the suite's own that may be killed, frozen and started again. It runs
 * with the class path of this one. Several faults may use it at the same time: what is
 * dead already is not killed, and what runs already is not started.
 */
public abstract class JvmProcess implements AutoCloseable {

	private static final Duration START_TIMEOUT = Duration.ofSeconds(90);

	private static final Duration STOP_TIMEOUT = Duration.ofSeconds(60);

	private final Queue<String> misdeeds = new ConcurrentLinkedQueue<>();

	private final List<Launched> launches = new CopyOnWriteArrayList<>();

	private final String name;

	private final Class<?> main;

	private final Path directory;

	JvmProcess(String name, Class<?> main, Path directory) {
		this.name = name;
		this.main = main;
		this.directory = directory;
		Runtime.getRuntime().addShutdownHook(new Thread(this::close, name + "-end"));
	}

	/**
	 * Return what the application is told.
	 * @return command line arguments
	 */
	abstract List<String> arguments();

	/**
	 * Return the name, which its connections and its files have as well.
	 * @return the name
	 */
	public String name() {
		return this.name;
	}

	/**
	 * Return the id of the process.
	 * @return the id of the latest process, alive or not
	 */
	public long pid() {
		return latest().process().pid();
	}

	/**
	 * Return whether the process is there, frozen or not.
	 * @return {@code true} if it has not ended
	 */
	public boolean isAlive() {
		return !this.launches.isEmpty() && latest().process().isAlive();
	}

	/**
	 * Return whether the application has started.
	 * @return {@code true} from then on until the end
	 */
	public boolean isReady() {
		return isAlive() && latest().wasReady();
	}

	/**
	 * Start the process, without waiting for anything, unless it is there.
	 * @param launch how
	 */
	public synchronized void start(Launch launch) {
		if (isAlive()) {
			return;
		}
		String life = this.name + "-" + (this.launches.size() + 1);
		Path log = this.directory.resolve(life + ".log");
		Path ready = this.directory.resolve(life + ".ready");
		List<String> command = command(launch);
		command.addAll(arguments());
		command.addAll(
				List.of("--chaos.life=" + life, "--chaos.directory=" + this.directory, "--chaos.ready-file=" + ready));
		ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
		builder.environment().putAll(launch.environment());
		try {
			this.launches.add(new Launched(builder.start(), log, ready));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(this.name + " could not be started", ex);
		}
	}

	private List<String> command(Launch launch) {
		Path java = Path.of(System.getProperty("java.home"), "bin", "java");
		List<String> command = new ArrayList<>(List.of(java.toString(), "-Xmx160m", "-Xss512k", "-XX:+UseSerialGC",
				"-XX:TieredStopAtLevel=1", "-Xshare:auto"));
		command.addAll(launch.jvmOptions());
		command.addAll(List.of("-cp", System.getProperty("java.class.path"), this.main.getName()));
		return command;
	}

	/**
	 * Wait until the application has started. When it could not, for want of a database
	 * perhaps, it is started once more, as any supervisor would.
	 * @throws IllegalStateException if it does not start in time
	 */
	public void awaitReady() {
		long deadline = System.nanoTime() + START_TIMEOUT.toNanos();
		while (!isReady()) {
			Assert.state(System.nanoTime() < deadline, () -> "%s did not start within %s: see its log in %s"
				.formatted(this.name, START_TIMEOUT, this.directory));
			start(Launch.ORDINARY);
			waitFor(() -> TimeUnit.MILLISECONDS.sleep(50));
		}
	}

	/**
	 * Start the process again unless it is there, and wait until its application has
	 * started.
	 */
	public void restart() {
		restart(Launch.ORDINARY);
	}

	/**
	 * Start the process again unless it is there, and wait until its application has
	 * started.
	 * @param launch how
	 */
	public void restart(Launch launch) {
		start(launch);
		awaitReady();
	}

	/**
	 * Let it end at once, without a word.
	 */
	public void kill9() {
		latest().expectEnd();
		Process process = latest().process().destroyForcibly();
		waitFor(() -> process.waitFor(STOP_TIMEOUT.toSeconds(), TimeUnit.SECONDS));
	}

	/**
	 * Freeze it: nothing of it runs, and its connections stay open.
	 */
	public void sigstop() {
		signal("STOP");
	}

	/**
	 * Let it go on.
	 */
	public void sigcont() {
		signal("CONT");
	}

	/**
	 * Ask it to end, and wait until it has. One that does not in time is killed, and has
	 * done something wrong.
	 */
	public void terminate() {
		latest().expectEnd();
		Process process = latest().process();
		process.destroy();
		waitFor(() -> process.waitFor(STOP_TIMEOUT.toSeconds(), TimeUnit.SECONDS));
		if (process.isAlive()) {
			this.misdeeds.add("It did not end within %s of SIGTERM".formatted(STOP_TIMEOUT));
			kill9();
		}
	}

	// Has no effect when another fault has just killed the process
	private void signal(String signal) {
		ProcessBuilder kill = new ProcessBuilder("kill", "-" + signal, String.valueOf(pid())).redirectErrorStream(true)
			.redirectOutput(ProcessBuilder.Redirect.DISCARD);
		try {
			Process killing = kill.start();
			waitFor(killing::waitFor);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private void waitFor(Waiting waiting) {
		try {
			waiting.until();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while waiting for " + this.name, ex);
		}
	}

	/**
	 * Return what the process should not have done: end by itself, log an error, or not
	 * end when told to. What happened before it was ready does not count.
	 * @return one sentence each
	 */
	public List<String> misdeeds() {
		List<String> all = new ArrayList<>(this.misdeeds);
		this.launches.forEach((launched) -> all.addAll(launched.misdeeds()));
		return all.stream().map((misdeed) -> this.name + ": " + misdeed).toList();
	}

	private Launched latest() {
		Assert.state(!this.launches.isEmpty(), () -> this.name + " has not been started");
		return this.launches.get(this.launches.size() - 1);
	}

	@Override
	public void close() {
		if (isAlive()) {
			kill9();
		}
	}

	/**
	 * Something that takes its time.
	 */
	private interface Waiting {

		void until() throws InterruptedException;

	}

}
