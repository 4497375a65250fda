/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.admin;

import org.jspecify.annotations.Nullable;

/**
 * What an operator has done.
 *
 * @param operator who has done it, {@code null} if that is not known
 * @param verb what was done: a verb, or PAUSE or RESUME
 * @param selection to which messages or relays, in words
 * @param affected how many messages were changed
 * @param passedOver how many messages were passed over
 * @param error what went wrong, {@code null} if nothing did
 */
public record OperatorAction(@Nullable String operator, String verb, String selection, long affected, long passedOver,
		@Nullable String error) {

}
