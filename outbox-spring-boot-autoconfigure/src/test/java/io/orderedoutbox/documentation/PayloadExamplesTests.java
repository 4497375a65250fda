/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.documentation;

import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The examples of docs/payloads.md are the classes that are tested.
 */
@Tag("unit")
class PayloadExamplesTests {

	private static final Path SOURCES = Path.of("outbox-spring-boot-autoconfigure/src/test/java/io/orderedoutbox");

	@ParameterizedTest
	@ValueSource(strings = { "payload/AesGcmTransformer", "payload/DirectoryStorage", "payload/EventStore",
			"publish/ProtobufPayloadSerializer", "store/TenantPartitioner", "store/BusinessKeyPartitioner" })
	void whatIsShownIsWhatIsTested(String example) {
		String source = Documents.text(Documents.root().resolve(SOURCES).resolve(example + ".java"));
		Matcher declaration = Pattern.compile("(?m)^(public )?(final )?(class|record) ").matcher(source);
		assertThat(declaration.find()).isTrue();
		String type = source.substring(declaration.end());
		assertThat(Documents.blocks("java")).filteredOn((block) -> block.document().equals("payloads.md"))
			.anyMatch((block) -> block.content().strip().endsWith(type.strip()));
	}

}
