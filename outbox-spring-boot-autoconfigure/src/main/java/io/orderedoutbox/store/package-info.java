/**
 * The tables: appending messages in business transactions, claiming them for the relay.
 */
@NullMarked
package io.orderedoutbox.store;

import org.jspecify.annotations.NullMarked;
