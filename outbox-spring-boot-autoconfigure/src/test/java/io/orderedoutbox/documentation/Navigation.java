/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.documentation;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The pages of the site in the order in which its sidebar has them: docs/nav.json.
 *
 * @param pages the pages
 */
record Navigation(List<Page> pages) {

	private static final Path FILE = Documents.root().resolve("docs/nav.json");

	static Navigation read() {
		List<Page> pages = new ArrayList<>();
		JsonMapper.shared()
			.readTree(Documents.text(FILE))
			.properties()
			.forEach((group) -> group.getValue().forEach((page) -> pages.add(Page.of(group.getKey(), page))));
		return new Navigation(pages);
	}

	/**
	 * The short title of a page.
	 */
	String title(Path file) {
		return this.pages.stream()
			.filter((page) -> page.file().equals(file))
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException(file + " is not in docs/nav.json"))
			.title();
	}

	/**
	 * A page.
	 *
	 * @param group the group that it is in
	 * @param file its file
	 * @param title what the sidebar calls it
	 * @param about one line about it
	 */
	record Page(String group, Path file, String title, String about) {

		private static Page of(String group, JsonNode page) {
			return new Page(group, FILE.resolveSibling(page.path("page").asString()).normalize(),
					page.path("title").asString(), page.path("about").asString());
		}

	}

}
