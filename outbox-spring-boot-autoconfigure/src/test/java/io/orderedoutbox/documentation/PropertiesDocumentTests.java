/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.documentation;

import java.io.IOException;
import java.nio.file.Files;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * docs/properties.md says what the metadata of the properties says, which editors show.
 * With {@code -Dproperties.write=true} this test writes it.
 */
@Tag("unit")
class PropertiesDocumentTests {

	private static final String REMEDY = "docs/properties.md is not what the metadata and properties.yaml say. Write it again: ./mvnw test -pl outbox-spring-boot-autoconfigure -am -Dtest=PropertiesDocumentTests -Dsurefire.failIfNoSpecifiedTests=false -Dtest.jvm.args=-Dproperties.write=true";

	private static final PropertiesDocument DOCUMENT = PropertiesDocument.read();

	@Test
	void thePageIsWhatTheMetadataSays() throws IOException {
		if (Boolean.getBoolean("properties.write")) {
			Files.writeString(PropertiesDocument.FILE, DOCUMENT.text());
		}
		assertThat(Documents.text(PropertiesDocument.FILE).lines()).as(REMEDY)
			.containsExactlyElementsOf(DOCUMENT.text().lines().toList());
	}

	@Test
	void everyPropertyIsInAChapter() {
		assertThat(DOCUMENT.metadata().properties().keySet()).hasSizeGreaterThan(90)
			.allMatch((property) -> DOCUMENT.chapterOf(property).count() == 1);
	}

	@Test
	void everyChapterAndEveryLinkIsOfAPropertyThatExists() {
		assertThat(DOCUMENT.chapters()).allMatch((chapter) -> !DOCUMENT.in(chapter).isEmpty());
		assertThat(DOCUMENT.chapters().stream().flatMap((chapter) -> chapter.of().stream()))
			.allMatch((prefix) -> names().anyMatch((name) -> name.equals(prefix) || name.startsWith(prefix + ".")));
		assertThat(names().toList()).containsAll(DOCUMENT.links().keySet());
	}

	private static Stream<String> names() {
		return DOCUMENT.metadata().properties().keySet().stream();
	}

}
