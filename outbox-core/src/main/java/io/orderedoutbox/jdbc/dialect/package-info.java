/**
 * What databases say in different ways: their statements, their settings, their errors.
 */
@NullMarked
package io.orderedoutbox.jdbc.dialect;

import org.jspecify.annotations.NullMarked;
