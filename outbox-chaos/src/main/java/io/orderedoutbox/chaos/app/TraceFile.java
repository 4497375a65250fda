/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.app;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file of lines, each with the time by {@link System#nanoTime}, that survives the death
 * of the process.
 */
final class TraceFile {

	private static final int LONG_ENOUGH = 300;

	private final PrintWriter lines;

	TraceFile(Path file) {
		try {
			this.lines = new PrintWriter(Files.newBufferedWriter(file, StandardCharsets.UTF_8));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	synchronized void add(String text) {
		String line = text.lines().findFirst().orElse("");
		this.lines.println(System.nanoTime() + "\t" + line.substring(0, Math.min(LONG_ENOUGH, line.length())));
		this.lines.flush();
	}

}
