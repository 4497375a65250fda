/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.documentation;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The links of a document to files and headings of the repository. A heading has the
 * anchor that GitHub gives it, and so has the site.
 *
 * @param document the document
 * @param links what it links to
 */
record Links(Path document, List<Link> links) {

	private static final Pattern LINK = Pattern.compile("]\\((?![a-z]+:)([^)#\\s]*)(?:#([^)\\s]*))?\\)");

	// [DocumentationTests]: ../outbox-spring-boot-autoconfigure/src/…
	private static final Pattern REFERENCE = Pattern.compile("^\\[[^]]+]: (?![a-z]+:)([^#\\s]+)(?:#(\\S+))?$");

	private static final Pattern HEADING = Pattern.compile("^#{1,6} +(.+?) *$");

	private static final Pattern ANCHOR = Pattern.compile("<a id=\"([^\"]+)\"");

	private static final Map<Path, Map<String, String>> ANCHORS = new HashMap<>();

	static Links of(Path document) {
		List<Link> links = new ArrayList<>();
		int number = 0;
		for (String line : prose(document)) {
			number++;
			Matcher link = LINK.matcher(line.replaceAll("`[^`]*`", "``"));
			while (link.find()) {
				links.add(new Link(number, link.group(1), link.group(2)));
			}
			Matcher reference = REFERENCE.matcher(line);
			if (reference.find()) {
				links.add(new Link(number, reference.group(1), reference.group(2)));
			}
		}
		return new Links(document, links);
	}

	/**
	 * Those that lead nowhere, each with its line.
	 */
	Stream<String> broken() {
		return this.links.stream()
			.filter((link) -> !exists(target(link), link.anchor()))
			.map((link) -> Documents.name(this.document) + ":" + link.line() + ": " + link);
	}

	private Path target(Link link) {
		return link.file().isEmpty() ? this.document : this.document.resolveSibling(link.file()).normalize();
	}

	/**
	 * Whether there is such a file, and such a heading in it.
	 * @param anchor the anchor, or {@code null}
	 */
	static boolean exists(Path file, String anchor) {
		return Files.exists(file) && (anchor == null || anchors(file).containsKey(anchor));
	}

	/**
	 * The heading that has an anchor.
	 */
	static String heading(Path file, String anchor) {
		String heading = anchors(file).get(anchor);
		if (heading == null) {
			throw new IllegalArgumentException(Documents.name(file) + " has no heading #" + anchor);
		}
		return heading;
	}

	private static Map<String, String> anchors(Path document) {
		return ANCHORS.computeIfAbsent(document, (file) -> {
			Map<String, String> anchors = new HashMap<>();
			for (String line : prose(file)) {
				Matcher heading = HEADING.matcher(line);
				if (heading.find()) {
					String slug = slug(heading.group(1));
					String anchor = slug;
					for (int i = 1; anchors.putIfAbsent(anchor, heading.group(1)) != null; i++) {
						anchor = slug + "-" + i;
					}
				}
				ANCHOR.matcher(line).results().forEach((anchor) -> anchors.put(anchor.group(1), line));
			}
			return anchors;
		});
	}

	private static String slug(String heading) {
		return heading.replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1")
			.toLowerCase(Locale.ROOT)
			.replaceAll("[^\\p{L}\\p{M}\\p{N}_ -]", "")
			.replace(' ', '-');
	}

	// Each line of the document, empty inside of fenced blocks
	private static List<String> prose(Path document) {
		List<String> prose = new ArrayList<>();
		boolean isFenced = false;
		for (String line : Documents.text(document).split("\n")) {
			boolean isFence = line.strip().startsWith("```");
			prose.add((isFence || isFenced) ? "" : line);
			isFenced ^= isFence;
		}
		return prose;
	}

	/**
	 * A link.
	 *
	 * @param line its line
	 * @param file the file, or empty for the same one
	 * @param anchor the anchor, or {@code null}
	 */
	record Link(int line, String file, String anchor) {

		@Override
		public String toString() {
			return this.file + ((this.anchor != null) ? "#" + this.anchor : "");
		}

	}

}
