/**
 * What an application uses: annotations, stamps, the envelope and the {@code Outbox}.
 */
@NullMarked
package io.orderedoutbox;

import org.jspecify.annotations.NullMarked;
