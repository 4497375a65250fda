package io.orderedoutbox.store;

/**
 * What is seen of a message before it is claimed.
 */
record Row(long id, String partitionKey, long payloadSize, boolean due) {

}
