package io.orderedoutbox.relay;

import io.orderedoutbox.store.StoredMessage;

/**
 * A message that was sent and whose outcome is not known yet.
 *
 * @param cursor its run
 * @param position where it is in its run
 * @param message the message
 * @param sentAt when it was sent, by {@link System#nanoTime}
 */
record Flight(Cursor cursor, int position, StoredMessage message, long sentAt) {

}
