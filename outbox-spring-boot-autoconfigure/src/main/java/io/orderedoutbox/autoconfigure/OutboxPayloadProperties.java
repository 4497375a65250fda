/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure;

import io.orderedoutbox.payload.PayloadTransformer.UndoneBy;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.Assert;
import org.springframework.util.unit.DataSize;

/**
 * Configuration properties of payloads.
 *
 * @param compression Compression of payloads.
 */
@ConfigurationProperties("outbox.payload")
public record OutboxPayloadProperties(@DefaultValue Compression compression) {

	/**
	 * Compression of payloads.
	 *
	 * @param enabled Whether payloads are compressed with gzip when they are stored. What
	 * is compressed is decompressed without that, too.
	 * @param minSize Size from which a payload is compressed.
	 * @param undoneBy Who decompresses: the consumer, which the AMQP property
	 * content_encoding tells so, or the relay.
	 * @param maxDecompressedSize Maximum size of a decompressed payload. A larger one is
	 * refused where it is published, and where it is received.
	 */
	public record Compression(@DefaultValue("false") boolean enabled, @DefaultValue("2KB") DataSize minSize,
			@DefaultValue("consumer") UndoneBy undoneBy, @DefaultValue("64MB") DataSize maxDecompressedSize) {

		/**
		 * Create properties.
		 * @throws IllegalArgumentException if a value makes no sense
		 */
		public Compression {
			Assert.isTrue(!minSize.isNegative(),
					() -> "'outbox.payload.compression.min-size' must not be negative, but is " + minSize);
			Assert.isTrue(maxDecompressedSize.toBytes() > 0 && maxDecompressedSize.toGigabytes() < 2,
					() -> "'outbox.payload.compression.max-decompressed-size' must be positive and less than 2GB, but is "
							+ maxDecompressedSize);
		}

	}

}
