/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.rabbit;

/**
 * Headers that a message carries if the application asks for them. None of them is in the
 * default format of the wire, which tells consumers nothing of keys and tables.
 * {@link io.orderedoutbox.HeaderStamp} has their names.
 *
 * @param partition whether messages carry the number of their partition
 * @param partitionKey whether messages carry their partition key; CloudEvents then have
 * an attribute with it as well
 * @param position whether messages carry their position. Within a partition key it grows
 * with the order of commits, with gaps; a message that an operator sends again after it
 * was set aside has a new one
 * @param publishedAt whether messages carry the time of their publication in
 * microseconds: the AMQP timestamp has whole seconds
 */
public record OptionalHeaders(boolean partition, boolean partitionKey, boolean position, boolean publishedAt) {

	/**
	 * None of them.
	 */
	public static final OptionalHeaders NONE = new OptionalHeaders(false, false, false, false);

}
