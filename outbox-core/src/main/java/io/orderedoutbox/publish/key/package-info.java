/**
 * How the partition key of an event is found, read, and written as text.
 */
@NullMarked
package io.orderedoutbox.publish.key;

import org.jspecify.annotations.NullMarked;
