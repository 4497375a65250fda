/**
 * An application of two Spring Modulith modules.
 */
@NullMarked
package io.orderedoutbox.test.modules;

import org.jspecify.annotations.NullMarked;
