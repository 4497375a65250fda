/**
 * The removal of rows that have been kept for long enough.
 */
@NullMarked
package io.orderedoutbox.jdbc.retention;

import org.jspecify.annotations.NullMarked;
