/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.documentation;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.orderedoutbox.documentation.Navigation.Page;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The sidebar of the site leads to every page.
 */
@Tag("unit")
class NavigationTests {

	private static final List<Page> PAGES = Navigation.read().pages();

	@Test
	void everyPageIsInTheSidebarOnce() {
		List<Path> named = PAGES.stream().map(Page::file).toList();
		Path home = Documents.root().resolve("site/index.md");
		assertThat(Documents.all().stream().filter((page) -> !named.contains(page) && !page.equals(home)))
			.as("pages without a line in docs/nav.json")
			.isEmpty();
		assertThat(named).doesNotHaveDuplicates().allSatisfy((page) -> assertThat(page).exists());
	}

	@Test
	void everyPageIsToldInOneLine() {
		assertThat(PAGES).allSatisfy((page) -> {
			assertThat(page.title()).hasSizeBetween(3, 32);
			assertThat(page.about()).hasSizeBetween(20, 120).doesNotEndWith(".");
		});
		assertThat(PAGES).extracting(Page::title).doesNotHaveDuplicates();
		assertThat(PAGES).extracting(Page::about).doesNotHaveDuplicates();
	}

	@Test
	void everyPageBeginsWithItsHeading() {
		assertThat(PAGES).allSatisfy((page) -> assertThat(Files.readString(page.file())).startsWith("# "));
	}

}
