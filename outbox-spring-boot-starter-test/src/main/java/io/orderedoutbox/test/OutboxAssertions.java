/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.test;

/**
 * The entry to the assertions of the outbox, for static imports. AssertJ's own
 * {@code assertThat} leads to the same.
 */
public final class OutboxAssertions {

	private OutboxAssertions() {
	}

	/**
	 * Assert something of what was published.
	 * @param actual what was published
	 * @return assertions
	 */
	public static PublishedMessagesAssert assertThat(PublishedMessages actual) {
		return actual.assertThat();
	}

}
