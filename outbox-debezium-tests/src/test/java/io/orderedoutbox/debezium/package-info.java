/**
 * Debezium on the tables of the outbox, in place of a relay.
 */
@NullMarked
package io.orderedoutbox.debezium;

import org.jspecify.annotations.NullMarked;
