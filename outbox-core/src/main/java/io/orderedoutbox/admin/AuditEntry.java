/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.admin;

import java.time.Instant;

/**
 * An action in the audit trail.
 *
 * @param id the place of the entry in the trail, from which the next page begins
 * @param at when the action was over, by the clock of the database
 * @param action what was done, and who did it
 */
public record AuditEntry(long id, Instant at, OperatorAction action) {

}
