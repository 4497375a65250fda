package io.orderedoutbox.order;

import java.util.List;

/**
 * A transaction that was committed.
 *
 * @param messageIds what it published, in order
 * @param ended a moment, by {@link System#nanoTime}, after the commit
 */
record Commit(List<String> messageIds, long ended) {

}
