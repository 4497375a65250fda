/**
 * What the relay asks of a sender: it hands over messages, and tells what became of each.
 */
@NullMarked
package io.orderedoutbox.send;

import org.jspecify.annotations.NullMarked;
