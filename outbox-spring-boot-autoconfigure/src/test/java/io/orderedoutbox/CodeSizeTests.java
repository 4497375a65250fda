/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox;

import java.util.List;
import java.util.Map;
import java.util.Set;

import io.orderedoutbox.testing.MainSources;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Classes stay small enough to be read in one go.
 */
@Tag("unit")
class CodeSizeTests {

	private static final Map<String, List<String>> SOURCES = MainSources.lines();

	// What they hold are tests that others inherit, and a browser and servers for tests
	private static final Set<String> FOR_TESTS = Set.of("outbox-contract-tests", "outbox-test-servers");

	// The numbered list of its Javadoc is the algorithm
	@Test
	void noClassIsLongerThan250LinesUnlessItOwnsAnAlgorithm() {
		Map<String, List<String>> sources = MainSources.linesOfAllModules();
		assertThat(sources).containsAllEntriesOf(SOURCES);
		List<String> tooLong = sources.entrySet()
			.stream()
			.filter((source) -> FOR_TESTS.stream().noneMatch((module) -> source.getKey().contains("/" + module + "/")))
			.filter((source) -> !source.getKey().endsWith("Properties.java"))
			.filter((source) -> source.getValue().size() > (ownsAlgorithm(source.getValue()) ? 400 : 250))
			.map((source) -> source.getKey() + ": " + source.getValue().size())
			.toList();
		assertThat(tooLong).isEmpty();
	}

	private static boolean ownsAlgorithm(List<String> lines) {
		return lines.stream().anyMatch((line) -> line.startsWith(" * <ol>"));
	}

	// The safety of the product: to be read in an hour
	@Test
	void theClaimStaysSmall() {
		List<List<String>> claim = SOURCES.entrySet()
			.stream()
			.filter((source) -> source.getKey().contains("/jdbc/claim/"))
			.filter((source) -> !source.getKey().endsWith("package-info.java"))
			.map(Map.Entry::getValue)
			.toList();
		assertThat(claim).isNotEmpty().hasSizeLessThanOrEqualTo(14);
		assertThat(claim.stream().mapToInt(List::size).sum()).isLessThanOrEqualTo(2200);
	}

	@Test
	void halfOfTheClassesAreShorterThan50Lines() {
		List<Long> sizes = SOURCES.entrySet()
			.stream()
			.filter((source) -> !source.getKey().endsWith("package-info.java"))
			.map((source) -> linesOfCode(source.getValue()))
			.sorted()
			.toList();
		assertThat(sizes.get(sizes.size() / 2)).isLessThanOrEqualTo(50);
	}

	private static long linesOfCode(List<String> lines) {
		int begin = 1;
		for (int line = 0; line < lines.size(); line++) {
			if (lines.get(line).startsWith("import ")) {
				begin = line + 1;
			}
		}
		return lines.stream().skip(begin).filter((line) -> !line.isBlank()).count();
	}

}
