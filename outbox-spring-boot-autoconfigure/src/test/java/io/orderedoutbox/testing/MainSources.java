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
 * The sources of the library, and of the modules around it.
 */
public final class MainSources {

	private static final Path ROOT = Path.of("..");

	private static final List<String> LIBRARY = List.of("outbox-api", "outbox-core", "outbox-spring-boot-autoconfigure",
			"outbox-spring-boot-starter-test");

	private static final String SOURCES = "src/main/java";

	private MainSources() {
	}

	/**
	 * The lines of each file of the library, by its path, without the licence above them.
	 */
	public static Map<String, List<String>> lines() {
		return lines(LIBRARY);
	}

	/**
	 * The same of all modules that have main sources, whether they are published or not.
	 */
	public static Map<String, List<String>> linesOfAllModules() {
		try (Stream<Path> modules = Files.list(ROOT)) {
			return lines(modules.filter((module) -> Files.isDirectory(module.resolve(SOURCES)))
				.map((module) -> module.getFileName().toString())
				.toList());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static Map<String, List<String>> lines(List<String> modules) {
		Map<String, List<String>> lines = new TreeMap<>();
		for (String module : modules) {
			try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve(SOURCES))) {
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
