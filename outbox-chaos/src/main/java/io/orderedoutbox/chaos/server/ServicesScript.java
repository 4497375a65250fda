/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.springframework.util.Assert;

/**
 * The script that knows how to run servers.
 */
final class ServicesScript {

	// The first start may have to download
	private static final long SECONDS_TO_ANSWER = 600;

	private final Path script;

	private final Map<String, String> environment;

	ServicesScript(Path script, Map<String, String> environment) {
		Assert.isTrue(Files.isExecutable(script),
				() -> "There is no script '%s': run the suite in the project's directory".formatted(script));
		this.script = script;
		this.environment = Map.copyOf(environment);
	}

	/**
	 * Runs it, and returns what it printed.
	 */
	String run(String... arguments) {
		Result result = tryToRun(arguments);
		Assert.state(result.exitCode() == 0, () -> "%s failed with exit code %d: %s".formatted(result.command(),
				result.exitCode(), result.output()));
		return result.output();
	}

	boolean succeeds(String... arguments) {
		return tryToRun(arguments).exitCode() == 0;
	}

	private Result tryToRun(String... arguments) {
		List<String> command = new ArrayList<>(List.of(this.script.toString()));
		command.addAll(List.of(arguments));
		try {
			Path output = Files.createTempFile("outbox-services-", ".out");
			try {
				ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true)
					.redirectOutput(output.toFile());
				builder.environment().putAll(this.environment);
				Process process = builder.start();
				process.getOutputStream().close();
				boolean ended = process.waitFor(SECONDS_TO_ANSWER, TimeUnit.SECONDS);
				Assert.state(ended, () -> "%s did not end in %d s".formatted(command, SECONDS_TO_ANSWER));
				return new Result(command, process.exitValue(), Files.readString(output));
			}
			finally {
				Files.delete(output);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(command + " could not be run", ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while running " + command, ex);
		}
	}

	private record Result(List<String> command, int exitCode, String output) {

	}

}
