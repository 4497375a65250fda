/**
 * What operators see. Publishing and relaying do not depend on this package.
 */
@NullMarked
package io.orderedoutbox.monitor;

import org.jspecify.annotations.NullMarked;
