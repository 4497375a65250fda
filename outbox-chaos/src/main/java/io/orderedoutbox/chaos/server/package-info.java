/**
 * Database and broker, and what can be done to them.
 */
@NullMarked
package io.orderedoutbox.chaos.server;

import org.jspecify.annotations.NullMarked;
