/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.payload;

/**
 * What a message carries whose payload is stored elsewhere, such as in an event store.
 *
 * @param name the name of the message
 * @param id what a {@link PayloadSource} finds the payload by; empty only if a row was
 * damaged
 */
public record PayloadReference(String name, String id) {

	/**
	 * The content type of a row that has a reference in place of its payload: the id, in
	 * UTF-8.
	 */
	public static final String CONTENT_TYPE = "application/vnd.ordered-outbox.reference";

}
