/**
 * What can go wrong, and with what.
 */
@NullMarked
package io.orderedoutbox.chaos.fault;

import org.jspecify.annotations.NullMarked;
