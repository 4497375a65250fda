/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.documentation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import io.orderedoutbox.servers.RequiresMySql;
import io.orderedoutbox.servers.RequiresRabbitMq;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Real applications that make a mistake, and docs/mistakes.md, which is written from what
 * they report. The document is also what is expected of them: a report that changes fails
 * here until the document is written again, and the change is seen in it.
 */
@Tag("slow")
@RequiresMySql
@RequiresRabbitMq
@ExtendWith(OutputCaptureExtension.class)
@TestMethodOrder(OrderAnnotation.class)
class MistakesTests {

	private static final Path DOCUMENT = Documents.root().resolve("docs/mistakes.md");

	private static final String REMEDY = "docs/mistakes.md is not what applications report. Read what has changed and, if it is right, write it again: ./mvnw test -Dtest=MistakesTests -Dsurefire.failIfNoSpecifiedTests=false -Dtest.jvm.args=-Dmistakes.write=true";

	private static final boolean WRITING = Boolean.getBoolean("mistakes.write");

	private static final Map<String, List<Mistake>> CHAPTERS = chapters();

	private static final Map<Mistake, StartReport> REPORTS = new LinkedHashMap<>();

	private static final Set<RefusalSite> UNREACHED = RefusalSite.all();

	private static Map<String, List<Mistake>> chapters() {
		Map<String, List<Mistake>> chapters = new LinkedHashMap<>();
		chapters.put("A property has a value that it cannot have", PropertyMistakes.VALUES);
		chapters.put("Properties do not go together", PropertyMistakes.TOGETHER);
		chapters.put("The DataSource does not fit", DatabaseMistakes.DATA_SOURCES);
		chapters.put("The tables do not fit", TableMistakes.ALL);
		chapters.put("The relay has nothing to send with, or does not know with what", SendingMistakes.SENDERS);
		chapters.put("A bean or an annotated method does not fit",
				Stream.concat(SendingMistakes.BEANS.stream(), ListenerMistakes.ALL.stream()).toList());
		chapters.put("Several outboxes do not go together", SeveralOutboxMistakes.ALL);
		chapters.put("A consumer cannot process each message once", ConsumingMistakes.ALL);
		chapters.put("The queues of shards do not fit", ShardMistakes.ALL);
		return chapters;
	}

	static List<Mistake> mistakes() {
		return CHAPTERS.values().stream().flatMap(List::stream).toList();
	}

	@ParameterizedTest
	@MethodSource("mistakes")
	void aMistakeIsReportedAsTheDocumentSays(Mistake mistake, CapturedOutput output) throws Exception {
		StartReport report;
		try (Trial trial = new Trial()) {
			mistake.made().on(trial);
			report = trial.start(output);
			UNREACHED.removeIf((site) -> site.isIn(trial.reported()));
		}
		assertThat(report.description()).isNotBlank()
			.doesNotContain("\tat ", "java.lang.Illegal", "autoconfigure.Outbox");
		assertThat(report.action()).isNotBlank()
			.doesNotContain("\tat ", "Update your application's configuration", "Consider");
		REPORTS.put(mistake, report);
		if (!WRITING) {
			assertThat(Documents.text(DOCUMENT).lines()).as(REMEDY).contains(mistake.row(report));
		}
	}

	@Test
	void theDocumentHasTheseMistakesAndNoOthers() {
		List<String> expected = new ArrayList<>();
		CHAPTERS.forEach((title, mistakes) -> {
			expected.add("## " + title);
			mistakes.forEach((mistake) -> expected.add("| " + mistake.what()));
		});
		assertThat(mistakes()).doesNotHaveDuplicates();
		if (!WRITING) {
			assertThat(Documents.text(DOCUMENT)
				.lines()
				.filter((line) -> line.startsWith("## ") || line.startsWith("| "))
				.filter((line) -> !line.equals(Introduction.HEADER))
				.map((line) -> line.startsWith("| ") ? line.substring(0, line.indexOf(" | ", 1)) : line)).as(REMEDY)
				.containsExactlyElementsOf(expected);
		}
	}

	@Test
	void theIntroductionIsInTheDocument() {
		if (!WRITING) {
			assertThat(Documents.text(DOCUMENT)).as(REMEDY).startsWith(Introduction.TEXT);
		}
	}

	@Test
	@Order(Integer.MAX_VALUE)
	void allThatRefusesToStartIsReachedByAMistake() {
		assertThat(REPORTS).as("Run all mistakes: what refuses to start is known after the last one")
			.containsOnlyKeys(mistakes());
		List<String> elsewhere = RefusedElsewhere.ALL.stream().map(RefusedElsewhere::site).sorted().toList();
		assertThat(UNREACHED.stream().map(RefusalSite::method).sorted())
			.as("No mistake reaches %s. Make it in one of the classes named …Mistakes, or name the test that makes it in RefusedElsewhere; remove from there what a mistake reaches",
					UNREACHED.stream().filter((site) -> !elsewhere.contains(site.method())).toList())
			.containsExactlyElementsOf(elsewhere);
	}

	@Test
	void testsOfWhatHasNoRowExist() {
		assertThat(RefusedElsewhere.ALL).filteredOn((elsewhere) -> !elsewhere.isAsItSays()).isEmpty();
	}

	@AfterAll
	static void write() throws IOException {
		if (WRITING) {
			StringBuilder document = new StringBuilder(Introduction.TEXT);
			CHAPTERS.forEach((title, mistakes) -> {
				document.append("\n## %s\n\n%s\n|---|---|---|\n".formatted(title, Introduction.HEADER));
				mistakes.stream()
					.filter(REPORTS::containsKey)
					.forEach((mistake) -> document.append(mistake.row(REPORTS.get(mistake))).append('\n'));
			});
			Files.writeString(DOCUMENT, document);
			assertThat(REPORTS.keySet()).containsExactlyInAnyOrderElementsOf(mistakes());
		}
	}

	/**
	 * What no mistake is needed for.
	 */
	private static final class Introduction {

		private static final String HEADER = "| what the application does | Description | Action |";

		private static final String TEXT = """
				# When the application does not start

				Look for the *Description* that your log has after `APPLICATION FAILED TO START`: the same row says what causes it.
				The log has the *Action* as well. Names such as `com.example.shop` and `billing` stand for yours; what follows a
				property in parentheses is where it is set.

				Each row was reported by an application that made the mistake. `MistakesTests` makes all of them again and fails
				where a report has changed: it writes this page, so that nobody edits it by hand.

				Two mistakes end no start. A property that the outbox does not read is named by a warning in the log: see
				[properties.md](properties.md). A broker or a database that is away is waited for, see
				[operations.md](operations.md), except where tables are to be created at the start.

				Not here is what only another server, a server that fails, another instance or another version of a library causes,
				what is told while the application runs, and what `outbox.jdbc.print-schema` does not know. It has a description and an
				action as well: `RefusedElsewhere` names each such place in the code, and the test that comes to it.
				So has a JDBC driver or a library that is missing, for which `ClassPathTests` take them away.

				An application that has R2DBC and no `DataSource` is refused as well, but has no row: R2DBC on the class path would change
				what the others do and report. `ReactiveTests` makes that mistake; [together.md](together.md#webflux-and-r2dbc) says what to do.
				""";

	}

}
