/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.documentation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import javax.sql.DataSource;

import org.springframework.core.io.ByteArrayResource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.jdbc.datasource.init.ScriptUtils;

/**
 * What people read in the repository: everything in docs, the home page of the site, and
 * README, CONTRIBUTING and so on; and the fenced blocks in them.
 */
final class Documents {

	private static final List<String> ELSEWHERE = List.of("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md",
			"site/index.md");

	private static final Pattern NOT_COMPILED = Pattern.compile("<!-- not compiled: (.*?) *-->");

	private Documents() {
	}

	static Path root() {
		Path directory = Path.of("").toAbsolutePath();
		while (!Files.exists(directory.resolve("mvnw"))) {
			directory = directory.getParent();
		}
		return directory;
	}

	static List<Path> all() {
		try (Stream<Path> docs = Files.walk(root().resolve("docs"))) {
			List<Path> all = new ArrayList<>(docs.filter((file) -> file.toString().endsWith(".md")).sorted().toList());
			ELSEWHERE.forEach((file) -> all.add(root().resolve(file)));
			return all;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Where a document is, for messages: {@code docs/publishing.md}.
	 */
	static String name(Path document) {
		return root().relativize(document).toString().replace('\\', '/');
	}

	static String text(Path document) {
		try {
			return Files.readString(document);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	static List<Block> blocks(String language) {
		return all().stream()
			.flatMap((document) -> blocks(document).stream())
			.filter((block) -> block.is(language))
			.toList();
	}

	private static List<Block> blocks(Path document) {
		List<Block> blocks = new ArrayList<>();
		String heading = "";
		String before = "";
		StringBuilder content = null;
		String language = "";
		// Of a block that belongs to an item of a list
		String indentation = "";
		int number = 0;
		int first = 0;
		for (String line : text(document).split("\n")) {
			number++;
			boolean isFence = line.strip().startsWith("```");
			if (content == null && line.startsWith("#")) {
				heading = line;
			}
			if (isFence && content == null) {
				language = line.strip().substring(3).replaceFirst("[\\s{:].*", "");
				indentation = line.substring(0, line.indexOf('`'));
				content = new StringBuilder();
				first = number + 1;
			}
			else if (isFence) {
				blocks.add(new Block(name(document), first, heading, language, content.toString(), before));
				content = null;
				before = "";
			}
			else if (content != null) {
				content.append(line.startsWith(indentation) ? line.substring(indentation.length()) : line).append('\n');
			}
			else if (!line.isBlank()) {
				before = line.strip();
			}
		}
		return blocks;
	}

	/**
	 * A fenced block.
	 *
	 * @param file the document, from the root of the repository
	 * @param line the first line of its content
	 * @param heading the heading above it
	 * @param language what it is in
	 * @param content its lines
	 * @param before the line of the document before it
	 */
	record Block(String file, int line, String heading, String language, String content, String before) {

		/**
		 * The name of the document without its directory.
		 */
		String document() {
			return this.file.substring(this.file.lastIndexOf('/') + 1);
		}

		boolean is(String other) {
			return this.language.equals(other);
		}

		/**
		 * Why it cannot be compiled, as a comment before it says, or nothing.
		 */
		String reasonNotToCompile() {
			Matcher marker = NOT_COMPILED.matcher(this.before);
			return marker.matches() ? marker.group(1) : "";
		}

		/**
		 * The same block with something else in it.
		 */
		Block with(String example, String replacement) {
			return new Block(this.file, this.line, this.heading, this.language,
					this.content.replace(example, replacement), this.before);
		}

		/**
		 * Run a block of SQL, statement by statement, on one connection.
		 */
		void run(DataSource dataSource) {
			ByteArrayResource script = new ByteArrayResource(this.content.getBytes(StandardCharsets.UTF_8), toString());
			ResourceDatabasePopulator populator = new ResourceDatabasePopulator(script);
			if (this.content.contains("$$")) {
				// The body of a function has statements of its own
				populator.setSeparator(ScriptUtils.EOF_STATEMENT_SEPARATOR);
			}
			populator.execute(dataSource);
		}

		@Override
		public String toString() {
			return this.file + ":" + this.line + " " + this.heading;
		}

	}

}
