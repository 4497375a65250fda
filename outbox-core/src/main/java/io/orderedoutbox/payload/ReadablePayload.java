/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.payload;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

import io.orderedoutbox.payload.PayloadTransformer.UndoneBy;
import org.jspecify.annotations.Nullable;

import org.springframework.util.unit.DataSize;

/**
 * The beginning of a payload that transformers have changed, for eyes. Only what needs no
 * secret and no storage is undone: gzip.
 */
public final class ReadablePayload {

	private static final int BUFFER = 4096;

	private static final GzipTransformer WHOLE = new GzipTransformer(DataSize.ofBytes(0), DataSize.ofMegabytes(64),
			UndoneBy.CONSUMER);

	private static final PayloadContext NO_CONTEXT = new PayloadContext("", "");

	private ReadablePayload() {
	}

	/**
	 * Return what was done to a payload.
	 * @param headers the headers of its message, as they are stored
	 * @return the names of what was done, in that order, joined by commas, or
	 * {@code null} for nothing
	 */
	public static @Nullable String encodings(Map<String, Object> headers) {
		String all = Stream.of(EncodedPayload.CONSUMER_HEADER, EncodedPayload.RELAY_HEADER)
			.map(headers::get)
			.filter(String.class::isInstance)
			.map(Object::toString)
			.collect(Collectors.joining(", "));
		return all.isEmpty() ? null : all;
	}

	/**
	 * Return a whole payload.
	 * @param payload the payload as it is stored
	 * @param encodings the names of what was done to it, joined by commas
	 * @return what it was before, or {@code null} if it cannot be read, because something
	 * else than gzip was done to it, or because it is damaged, or larger than 64
	 * megabytes
	 */
	public static byte @Nullable [] whole(byte[] payload, String encodings) {
		if (!isGzip(encodings)) {
			return null;
		}
		try {
			return WHOLE.decode(payload, NO_CONTEXT);
		}
		catch (IllegalArgumentException ex) {
			// The caller shows what is stored
			return null;
		}
	}

	private static boolean isGzip(String encodings) {
		return encodings.strip().equals(GzipTransformer.ENCODING);
	}

	/**
	 * Return what the beginning of a payload begins with.
	 * @param beginning the beginning of the payload as it is stored
	 * @param encodings the names of what was done to it, joined by commas
	 * @param most how much is returned at most
	 * @return as much as can be read of it, or {@code null} if it cannot be read, because
	 * something else than gzip was done to it, or because it is damaged
	 */
	public static byte @Nullable [] beginning(byte[] beginning, String encodings, int most) {
		if (!isGzip(encodings)) {
			return null;
		}
		ByteArrayOutputStream read = new ByteArrayOutputStream();
		try (GZIPInputStream gzip = new GZIPInputStream(new ByteArrayInputStream(beginning))) {
			byte[] buffer = new byte[BUFFER];
			int count = gzip.read(buffer);
			while (count > 0 && read.size() < most) {
				read.write(buffer, 0, Math.min(count, most - read.size()));
				count = gzip.read(buffer);
			}
		}
		catch (IOException ex) {
			// What is cut off ends like this, and what comes before is right
			return (read.size() > 0) ? read.toByteArray() : null;
		}
		return read.toByteArray();
	}

}
