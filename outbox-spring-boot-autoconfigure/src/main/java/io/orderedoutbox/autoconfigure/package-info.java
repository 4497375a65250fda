/**
 * Auto-configuration: properties and wiring, and nothing that runs.
 */
@NullMarked
package io.orderedoutbox.autoconfigure;

import org.jspecify.annotations.NullMarked;
