/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.fault;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.orderedoutbox.chaos.process.Launch;

/**
 * A library that shows a process another time of day. It is fetched as a Debian package
 * and unpacked in a directory of the suite: nothing is installed.
 */
final class FakeTime {

	private static final String LIBRARY = "libfaketimeMT.so.1";

	private static final int SECONDS_TO_FETCH = 60;

	private final Path library;

	private FakeTime(Path library) {
		this.library = library;
	}

	/**
	 * The library, unless it can neither be found nor fetched.
	 */
	static Optional<FakeTime> in(Path directory) {
		try {
			Files.createDirectories(directory);
			Optional<Path> library = find(directory);
			if (library.isEmpty() && succeeds(directory, "apt-get", "-q", "download", "libfaketime")
					&& succeeds(directory, "sh", "-c", "dpkg-deb -x libfaketime_*.deb .")) {
				library = find(directory);
			}
			return library.map(FakeTime::new);
		}
		catch (IOException ex) {
			System.err.println("libfaketime could not be fetched: " + ex);
			return Optional.empty();
		}
	}

	private static Optional<Path> find(Path directory) throws IOException {
		try (Stream<Path> files = Files.walk(directory)) {
			return files.filter((file) -> file.endsWith(LIBRARY)).findFirst();
		}
	}

	private static boolean succeeds(Path directory, String... command) throws IOException {
		Process process = new ProcessBuilder(command).directory(directory.toFile())
			.redirectErrorStream(true)
			.redirectOutput(ProcessBuilder.Redirect.DISCARD)
			.start();
		try {
			return process.waitFor(SECONDS_TO_FETCH, TimeUnit.SECONDS) && process.exitValue() == 0;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while fetching libfaketime", ex);
		}
		finally {
			process.destroy();
		}
	}

	/**
	 * A way to start a process whose clock goes by a file, within a second. Timed waits
	 * go by the true monotonic clock: what the library does to "fix" them lets them
	 * return early in a JVM.
	 */
	Launch launch(Path clock) {
		return new Launch(List.of(),
				Map.of("LD_PRELOAD", this.library.toString(), "FAKETIME_TIMESTAMP_FILE", clock.toString(),
						"FAKETIME_CACHE_DURATION", "1", "FAKETIME_FORCE_MONOTONIC_FIX", "0", "DONT_FAKE_MONOTONIC", "1",
						"FAKETIME_DONT_FAKE_MONOTONIC", "1"));
	}

	/**
	 * Set the clock, also of processes that run.
	 */
	static void set(Path clock, int hours) throws IOException {
		Path next = clock.resolveSibling(clock.getFileName() + ".next");
		Files.writeString(next, "%+dh%n".formatted(hours));
		Files.move(next, clock, StandardCopyOption.ATOMIC_MOVE);
	}

}
