/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.documentation;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The page about conformance has all rows that it names, each with a proof, and each test
 * that it names exists. Whether a test proves its row is for readers.
 */
@Tag("unit")
class ConformanceTests {

	private static final Path PAGE = Documents.root().resolve("docs/conformance.md");

	private static final String TEXT = Documents.text(PAGE);

	private static final String ID = "[A-Z0-9][A-Z0-9.-]*\\d";

	private static final String MISSING = "## Not there";

	// [FooTests.barIsNoBaz][FooTests]
	private static final Pattern NAMED_TEST = Pattern.compile("\\[(\\w+)\\.(\\w+)]\\[(\\w+)]");

	private static final Map<String, Path> FILES = Pattern.compile("(?m)^\\[(\\w+)]: (\\S+)$")
		.matcher(TEXT)
		.results()
		.collect(Collectors.toMap((link) -> link.group(1), (link) -> PAGE.resolveSibling(link.group(2)).normalize()));

	@Test
	void noRowIsMissing() {
		String index = TEXT.substring(TEXT.indexOf("| rows |"), TEXT.indexOf("\n## "));
		List<String> promised = Pattern.compile("(?m)^\\| (%s[^|]*) \\|".formatted(ID))
			.matcher(index)
			.results()
			.flatMap((line) -> ids(line.group(1)))
			.toList();
		assertThat(promised).hasSizeGreaterThanOrEqualTo(345).doesNotHaveDuplicates();
		assertThat(rows(TEXT).map(Row::id)).containsExactlyElementsOf(promised);
	}

	@Test
	void eachSectionHasTheRowsThatItNames() {
		List<String> sections = sections().filter((section) -> section.contains("| id | behaviour | proof |")).toList();
		assertThat(sections).hasSizeGreaterThan(20).allSatisfy((section) -> {
			Matcher promise = Pattern.compile("(?m)^Rows (.+)\\.$").matcher(section);
			assertThat(promise.find()).as(section).isTrue();
			assertThat(rows(section).map(Row::id)).containsExactlyElementsOf(ids(promise.group(1)).toList());
		});
	}

	@Test
	void eachRowHasATestOrAReason() {
		assertThat(rows(TEXT).filter((row) -> !NAMED_TEST.matcher(row.proof()).find())
			.filter((row) -> !row.proof().matches("(Does not apply|Document): \\S.*"))
			.filter((row) -> !row.isMissing())).isEmpty();
		assertThat(rows(TEXT).map(Row::behaviour)).allMatch((behaviour) -> behaviour.endsWith("."));
	}

	@Test
	void whatIsNotThereHasAReason() {
		String end = sections().filter((section) -> section.startsWith(MISSING)).findFirst().orElseThrow();
		assertThat(Pattern.compile("(?m)^\\| (%s) \\| \\S.* \\|$".formatted(ID))
			.matcher(end)
			.results()
			.map((row) -> row.group(1)))
			.containsExactlyElementsOf(rows(TEXT).filter(Row::isMissing).map(Row::id).toList());
	}

	@Test
	void testsThatAreNamedExist() {
		List<MatchResult> names = NAMED_TEST.matcher(TEXT).results().toList();
		assertThat(names).hasSizeGreaterThan(345);
		assertThat(names.stream().distinct().filter((name) -> !exists(name)).map(MatchResult::group)).isEmpty();
		assertThat(FILES.keySet()).isEqualTo(names.stream().map((name) -> name.group(3)).collect(Collectors.toSet()));
	}

	private static boolean exists(MatchResult name) {
		Path file = FILES.get(name.group(3));
		return name.group(1).equals(name.group(3)) && file != null && Files.exists(file)
				&& file.getFileName().toString().equals(name.group(1) + ".java")
				&& new TestSource(file).hasTest(name.group(2));
	}

	private static Stream<String> sections() {
		return Stream.of(TEXT.split("(?m)^(?=## )"));
	}

	private static Stream<Row> rows(String text) {
		return Pattern.compile("(?m)^\\| (%s) \\| (.*) \\| (.*) \\|$".formatted(ID))
			.matcher(text)
			.results()
			.map((row) -> new Row(row.group(1), row.group(2), row.group(3)));
	}

	// F-01 to F-03, F-07
	private static Stream<String> ids(String ranges) {
		return Stream.of(ranges.split(", ")).flatMap((range) -> {
			Matcher ends = Pattern.compile("(.*?)(\\d+)(?: to (.*?)(\\d+))?").matcher(range);
			assertThat(ends.matches()).as(range).isTrue();
			if (ends.group(3) == null) {
				return Stream.of(range);
			}
			assertThat(ends.group(3)).as(range).isEqualTo(ends.group(1));
			String format = ends.group(1) + "%0" + ends.group(2).length() + "d";
			return IntStream.rangeClosed(Integer.parseInt(ends.group(2)), Integer.parseInt(ends.group(4)))
				.mapToObj(format::formatted);
		});
	}

	private record Row(String id, String behaviour, String proof) {

		boolean isMissing() {
			return this.proof.contains("](#not-there)");
		}

	}

}
