/**
 * RabbitMQ: sending under publisher confirms, and where messages go.
 */
@NullMarked
package io.orderedoutbox.rabbit;

import org.jspecify.annotations.NullMarked;
