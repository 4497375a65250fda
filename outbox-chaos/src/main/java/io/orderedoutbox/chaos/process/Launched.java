/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * One life of a process.
 */
final class Launched {

	private static final int ENOUGH = 5;

	private static final Pattern ERROR = Pattern.compile("^\\S+ +ERROR .*");

	// Spring AMQP calls it an error when the network is cut between the opening of a
	// channel and its first answer. The relay takes it for the outage that it is
	private static final String LOST = "Could not configure the channel to receive publisher confirms";

	private final Process process;

	private final Path log;

	private final Path ready;

	private volatile boolean endExpected;

	Launched(Process process, Path log, Path ready) {
		this.process = process;
		this.log = log;
		this.ready = ready;
	}

	Process process() {
		return this.process;
	}

	/**
	 * Whether the application has started, even if it has ended since.
	 */
	boolean wasReady() {
		return Files.exists(this.ready);
	}

	void expectEnd() {
		this.endExpected = true;
	}

	/**
	 * What it should not have done. An application that could not start does not count:
	 * somebody will have started it again.
	 */
	List<String> misdeeds() {
		List<String> misdeeds = new ArrayList<>();
		if (wasReady()) {
			if (!this.process.isAlive() && !this.endExpected) {
				misdeeds.add("It ended by itself with exit code %d: %s".formatted(this.process.exitValue(), this.log));
			}
			try (Stream<String> lines = Files.lines(this.log, StandardCharsets.ISO_8859_1)) {
				lines.filter((line) -> ERROR.matcher(line).matches() && !line.endsWith(LOST))
					.limit(ENOUGH)
					.forEach((line) -> misdeeds.add(this.log.getFileName() + ": " + line));
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}
		return misdeeds;
	}

}
