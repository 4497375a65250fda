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
