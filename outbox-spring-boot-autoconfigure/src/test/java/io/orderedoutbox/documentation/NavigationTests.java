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
		Path home = Documents.root().resolve("site/index.md");
		List<Path> pages = Documents.all().stream().filter((document) -> !document.equals(home)).toList();
		assertThat(PAGES).extracting(Page::file)
			.as("pages in docs/nav.json: add a line for each page")
			.containsExactlyInAnyOrderElementsOf(pages);
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
