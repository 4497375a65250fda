/**
 * How much waits in the tables, and for how long.
 */
@NullMarked
package io.orderedoutbox.jdbc.backlog;

import org.jspecify.annotations.NullMarked;
