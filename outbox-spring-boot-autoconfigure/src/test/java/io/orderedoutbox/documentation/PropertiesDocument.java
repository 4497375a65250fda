/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.documentation;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.orderedoutbox.documentation.Metadata.Property;
import io.orderedoutbox.documentation.Metadata.Value;
import org.yaml.snakeyaml.Yaml;

/**
 * docs/properties.md, made of the metadata of the properties and of properties.yaml,
 * which has what metadata cannot have: chapters, sentences before them, and links to
 * pages.
 *
 * @param metadata the metadata
 * @param introduction what the page begins with
 * @param chapters its chapters
 * @param links of each property, the places that say more
 */
record PropertiesDocument(Metadata metadata, String introduction, List<Chapter> chapters,
		Map<String, List<String>> links) {

	static final Path FILE = Documents.root().resolve("docs/properties.md");

	// What is no English word: names of properties with or without a value, values in
	// quotes, names of headers, of annotations, and what stands for something
	private static final Pattern CODE = Pattern.compile("\\b(?:outbox|management|spring)\\.[\\w.\\[\\]=*-]*[\\w\\]*]"
			+ "|(?<!\\w)'[^'\\s]+'|@\\w+(?:\\([^)]*\\))?|\\{\\w+}|\\bx-[a-z-]+|\\bcontent_encoding\\b|\\boutbox_\\w+");

	private static final Navigation NAVIGATION = Navigation.read();

	static PropertiesDocument read() {
		Map<String, Object> source = new Yaml().load(Documents.text(Documents.root()
			.resolve(
					"outbox-spring-boot-autoconfigure/src/test/resources/io/orderedoutbox/documentation/properties.yaml")));
		List<Chapter> chapters = new ArrayList<>();
		for (Object chapter : (List<?>) source.get("chapters")) {
			chapters.add(Chapter.of((Map<?, ?>) chapter));
		}
		Map<String, List<String>> links = new LinkedHashMap<>();
		((Map<?, ?>) source.get("links"))
			.forEach((property, targets) -> links.put(property.toString(), List.of(targets.toString().split(", "))));
		return new PropertiesDocument(Metadata.read(), source.get("introduction").toString(), chapters, links);
	}

	/**
	 * The properties of a chapter: those for which no other one is more special. What
	 * switches the others on comes first, what is Actuator's comes last.
	 */
	List<Property> in(Chapter chapter) {
		return this.metadata.properties()
			.values()
			.stream()
			.filter((property) -> chapterOf(property.name()).anyMatch(chapter::equals))
			.sorted(Comparator.comparing((Property property) -> property.name().startsWith("management."))
				.thenComparing((property) -> !property.name().endsWith(".enabled")))
			.toList();
	}

	Stream<Chapter> chapterOf(String property) {
		return this.chapters.stream()
			.filter((chapter) -> chapter.match(property) > 0)
			.max(Comparator.comparingInt((chapter) -> chapter.match(property)))
			.stream();
	}

	String text() {
		StringBuilder text = new StringBuilder(this.introduction);
		for (Chapter chapter : this.chapters) {
			text.append("\n## %s\n\n%s\n".formatted(chapter.title(), chapter.about()));
			text.append("| property | type | default | meaning |\n|---|---|---|---|\n");
			in(chapter).forEach((property) -> text.append(row(property)).append('\n'));
		}
		return text.toString();
	}

	private String row(Property property) {
		String name = property.name();
		return "| <a id=\"%s\"></a>[`%s`](#%s) | %s | %s | %s |".formatted(name, property.isMap() ? name + ".*" : name,
				name, property.kind(), property.defaultValue().isEmpty() ? "" : "`" + property.defaultValue() + "`",
				meaning(property));
	}

	private String meaning(Property property) {
		Stream<String> values = property.values().stream().map(this::value);
		Stream<String> links = this.links.getOrDefault(property.name(), List.of()).stream().map(this::link);
		String more = links.collect(Collectors.joining(", "));
		return Stream
			.of(Stream.of(prose(property.description()) + (more.isEmpty() ? "" : " More: " + more + ".")), values)
			.flatMap((part) -> part)
			.collect(Collectors.joining("<br>"));
	}

	private String value(Value value) {
		return "`%s`: %s".formatted(value.value(), prose(value.description()));
	}

	private String prose(String text) {
		return CODE.matcher(text.replace("|", "\\|").replace("<", "&lt;"))
			.replaceAll((code) -> Matcher.quoteReplacement(code(code)));
	}

	private String code(MatchResult match) {
		String code = "`" + match.group().replace("'", "") + "`";
		return this.metadata.properties().containsKey(match.group()) ? "[%s](#%s)".formatted(code, match.group())
				: code;
	}

	// payloads.md#compress is called as its heading is, and payloads.md as the sidebar
	// calls it
	private String link(String target) {
		String[] parts = target.split("#");
		Path file = FILE.resolveSibling(parts[0]);
		String title = (parts.length == 1) ? NAVIGATION.title(file) : Links.heading(file, parts[1]);
		return "[%s](%s)".formatted(title, target);
	}

	/**
	 * A chapter.
	 *
	 * @param title its heading
	 * @param of what its properties begin with
	 * @param about what stands before them
	 */
	record Chapter(String title, List<String> of, String about) {

		private static Chapter of(Map<?, ?> chapter) {
			List<String> of = List.of(chapter.get("of").toString().split(", "));
			return new Chapter(chapter.get("title").toString(), of, chapter.get("about").toString());
		}

		// How many characters of its name say that a property belongs here
		private int match(String property) {
			return this.of.stream()
				.filter((prefix) -> property.equals(prefix) || property.startsWith(prefix + "."))
				.mapToInt(String::length)
				.max()
				.orElse(0);
		}

	}

}
