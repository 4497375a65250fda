/**
 * A database and a broker for tests and for the sample: given by address, in Docker or
 * embedded.
 */
@NullMarked
package io.orderedoutbox.servers;

import org.jspecify.annotations.NullMarked;
