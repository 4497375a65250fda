/**
 * Kafka: sending with an idempotent producer, and where messages go.
 */
@NullMarked
package io.orderedoutbox.kafka;

import org.jspecify.annotations.NullMarked;
