/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.documentation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The source of a class of tests.
 */
record TestSource(Path file) {

	/**
	 * Find one in any module.
	 * @param type the simple name of the class
	 */
	static Optional<TestSource> named(String type) {
		try (Stream<Path> files = Files.find(Documents.root(), Integer.MAX_VALUE,
				(file, attributes) -> file.endsWith(type + ".java"))) {
			return files.map(TestSource::new).findFirst();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Whether a method of this name is a test: it has an annotation that makes it one,
	 * and no end of another method before it.
	 */
	boolean hasTest(String method) {
		return Pattern
			.compile("@(?:Test|ParameterizedTest|RepeatedTest)\\b(?:(?!\\n\\t}\\n)[\\s\\S])*?\\bvoid %s\\("
				.formatted(method))
			.matcher(Documents.text(this.file))
			.find();
	}

}
