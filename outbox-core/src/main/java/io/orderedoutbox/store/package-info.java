/**
 * What publishing and relaying ask of a store, and nothing of how it stores.
 */
@NullMarked
package io.orderedoutbox.store;

import org.jspecify.annotations.NullMarked;
