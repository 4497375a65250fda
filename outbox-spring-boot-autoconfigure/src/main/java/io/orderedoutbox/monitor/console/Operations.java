/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor.console;

import io.orderedoutbox.admin.OperatorJournal;
import io.orderedoutbox.admin.OutboxAdministration;

/**
 * What operators see and do, and what they have done.
 *
 * @param administration reads and acts
 * @param journal knows who has done what
 */
public record Operations(OutboxAdministration administration, OperatorJournal journal) {

}
