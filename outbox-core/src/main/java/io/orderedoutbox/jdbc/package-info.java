/**
 * The database of the outbox: its tables, its sessions, and the writing of messages.
 */
@NullMarked
package io.orderedoutbox.jdbc;

import org.jspecify.annotations.NullMarked;
