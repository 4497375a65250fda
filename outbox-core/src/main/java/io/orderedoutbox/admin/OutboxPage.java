package io.orderedoutbox.admin;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Part of a list.
 *
 * @param items what is on this page
 * @param next where the next page begins, {@code null} if there is none
 * @param <T> the type of the items
 */
public record OutboxPage<T>(List<T> items, @Nullable String next) {

	/**
	 * Create a page.
	 */
	public OutboxPage {
		items = List.copyOf(items);
	}

}
