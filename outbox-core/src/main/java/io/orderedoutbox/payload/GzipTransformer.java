/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.payload;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;
import org.springframework.util.unit.DataSize;

/**
 * {@link PayloadTransformer} that compresses with gzip. It leaves small payloads alone,
 * and those that would not become smaller.
 * <p>
 * A payload of a few kilobytes can be made to become gigabytes. So what it decompresses
 * to is bounded, and a payload larger than that bound is not compressed either, but
 * refused when it is published.
 */
public final class GzipTransformer implements PayloadTransformer {

	/**
	 * The name of what it does.
	 */
	public static final String ENCODING = "gzip";

	private final long minSize;

	private final int maxSize;

	private final UndoneBy undoneBy;

	/**
	 * Create a transformer.
	 * @param minSize the size below which a payload is not compressed
	 * @param maxSize the greatest size of a payload that is not compressed, less than 2
	 * gigabytes
	 * @param undoneBy who decompresses
	 */
	public GzipTransformer(DataSize minSize, DataSize maxSize, UndoneBy undoneBy) {
		Assert.isTrue(!minSize.isNegative(), "'minSize' must not be negative");
		Assert.isTrue(maxSize.toBytes() > 0 && maxSize.toBytes() < Integer.MAX_VALUE,
				() -> "'maxSize' must be positive and less than 2 gigabytes, but is " + maxSize);
		this.minSize = minSize.toBytes();
		this.maxSize = (int) maxSize.toBytes();
		this.undoneBy = undoneBy;
	}

	@Override
	public String encoding() {
		return ENCODING;
	}

	@Override
	public UndoneBy undoneBy() {
		return this.undoneBy;
	}

	@Override
	public byte @Nullable [] encode(byte[] payload, PayloadContext context) {
		if (payload.length < this.minSize) {
			return null;
		}
		Assert.isTrue(payload.length <= this.maxSize,
				() -> "it has %d bytes, but only %d are decompressed again: publish a reference instead, or raise outbox.payload.compression.max-decompressed-size, here and where the message is received"
					.formatted(payload.length, this.maxSize));
		ByteArrayOutputStream compressed = new ByteArrayOutputStream(payload.length / 4 + 32);
		try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
			gzip.write(payload);
		}
		catch (IOException ex) {
			throw new IllegalStateException("An array could not be written to", ex);
		}
		return (compressed.size() < payload.length) ? compressed.toByteArray() : null;
	}

	/**
	 * Decompress a payload.
	 * @param payload the payload
	 * @param context which message it belongs to
	 * @return what was compressed
	 * @throws IllegalArgumentException if it is no gzip, damaged or cut off, or larger
	 * than is allowed
	 */
	@Override
	public byte[] decode(byte[] payload, PayloadContext context) {
		try (GZIPInputStream gzip = new GZIPInputStream(new ByteArrayInputStream(payload))) {
			byte[] body = gzip.readNBytes(this.maxSize + 1);
			Assert.isTrue(body.length <= this.maxSize,
					() -> "the payload is larger than %d bytes when it is decompressed: if that is no attack, raise outbox.payload.compression.max-decompressed-size"
						.formatted(this.maxSize));
			return body;
		}
		catch (IOException ex) {
			throw new IllegalArgumentException("the payload is no gzip, or damaged: " + ex.getMessage(), ex);
		}
	}

}
