/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.documentation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The map in CONTRIBUTING is that of the code.
 */
@Tag("unit")
class ContributingTests {

	private static final String ROOT = "io.orderedoutbox";

	private static final String PACKAGE = "`([a-z.]+)`";

	private static final String CLASS = "`([A-Z]\\w+[a-z]\\w*)`";

	@Test
	void packagesOfTheMapAreThoseThatExist() throws IOException {
		Set<String> packages = sources("main").map((file) -> file.getParent().toString().replace('/', '.'))
			.collect(Collectors.toCollection(TreeSet::new));
		assertThat(packages).hasSizeGreaterThan(20);
		Set<String> named = names("(?m)^\\|([^|]*)\\|", PACKAGE).map(ContributingTests::inFull)
			.collect(Collectors.toCollection(TreeSet::new));
		assertThat(named).isEqualTo(packages);
	}

	@Test
	void classesOfTheMapExist() throws IOException {
		Set<String> classes = Stream.concat(sources("main"), sources("test"))
			.map((file) -> file.getFileName().toString().replace(".java", ""))
			.collect(Collectors.toSet());
		List<String> named = names("(?s)(.*)", CLASS).toList();
		assertThat(named).hasSizeGreaterThan(30);
		assertThat(classes).containsAll(named);
	}

	@Test
	void whereAReaderBeginsIsInAPackageOfTheRow() throws IOException {
		Set<String> classes = sources("main").map((file) -> file.toString().replace(".java", "").replace('/', '.'))
			.collect(Collectors.toSet());
		List<String> rows = groups("(?m)^(\\| `[a-z].*)$", section()).toList();
		assertThat(rows).hasSizeGreaterThan(15);
		for (String row : rows) {
			List<String> packages = groups(PACKAGE, cell(row, 1)).map(ContributingTests::inFull).toList();
			assertThat(groups(CLASS, cell(row, 3))).as(row)
				.allSatisfy((name) -> assertThat(packages)
					.anyMatch((inPackage) -> classes.contains(inPackage + "." + name)));
		}
	}

	private static String cell(String row, int number) {
		return row.split("\\|", -1)[number];
	}

	private static String inFull(String name) {
		return name.startsWith(ROOT) ? name : ROOT + "." + name;
	}

	// What is in the cells of a section's tables
	private static Stream<String> names(String cells, String name) {
		return groups(cells, section()).flatMap((cell) -> groups(name, cell));
	}

	private static String section() {
		String contributing = Documents.text(Documents.root().resolve("CONTRIBUTING.md"));
		int start = contributing.indexOf("## Where to change what");
		return contributing.substring(start, contributing.indexOf("\n## ", start));
	}

	private static Stream<String> groups(String pattern, String text) {
		return Pattern.compile(pattern).matcher(text).results().map((MatchResult match) -> match.group(1));
	}

	// Of the modules that are the library, below their directories of sources
	private static Stream<Path> sources(String kind) throws IOException {
		Stream<Path> sources = Stream.empty();
		for (String module : List.of("outbox-api", "outbox-core", "outbox-spring-boot-autoconfigure")) {
			Path directory = Documents.root().resolve(module).resolve("src").resolve(kind).resolve("java");
			if (Files.exists(directory)) {
				try (Stream<Path> files = Files.walk(directory)) {
					List<Path> found = files.filter((file) -> file.toString().endsWith(".java"))
						.map(directory::relativize)
						.toList();
					sources = Stream.concat(sources, found.stream());
				}
			}
		}
		return sources;
	}

}
