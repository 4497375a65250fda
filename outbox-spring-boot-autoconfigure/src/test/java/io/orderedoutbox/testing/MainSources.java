/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The sources of the library.
 */
public final class MainSources {

	private static final List<String> MODULES = List.of("outbox-api", "outbox-core", "outbox-spring-boot-autoconfigure",
			"outbox-spring-boot-starter-test");

	private MainSources() {
	}

	/**
	 * The lines of each file, by its path, without the licence above them.
	 */
	public static Map<String, List<String>> lines() {
		Map<String, List<String>> lines = new TreeMap<>();
		for (String module : MODULES) {
			try (Stream<Path> files = Files.walk(Path.of("..", module, "src/main/java"))) {
				for (Path file : files.filter((path) -> path.toString().endsWith(".java")).toList()) {
					lines.put(file.toString(), withoutLicence(Files.readAllLines(file)));
				}
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}
		return lines;
	}

	// The comment of a package stands above its name, the licence above that
	private static List<String> withoutLicence(List<String> lines) {
		return lines.get(0).equals("/*") ? lines.subList(lines.indexOf(" */") + 1, lines.size()) : lines;
	}

}
