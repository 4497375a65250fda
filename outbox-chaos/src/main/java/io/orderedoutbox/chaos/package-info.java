/**
 * The chaos suite: a run, its course and its report.
 */
@NullMarked
package io.orderedoutbox.chaos;

import org.jspecify.annotations.NullMarked;
