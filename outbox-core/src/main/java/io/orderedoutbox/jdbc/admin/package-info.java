/**
 * What operators see of the tables of the outbox, and what they can do to them.
 */
@NullMarked
package io.orderedoutbox.jdbc.admin;

import org.jspecify.annotations.NullMarked;
