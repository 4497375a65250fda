/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.payload;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import io.orderedoutbox.payload.PayloadTransformer.UndoneBy;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * The chain of transformers.
 * <ol>
 * <li>When a message is stored, those that a consumer undoes change its payload, then
 * those that the relay undoes, each group in the order given. So the relay can undo its
 * part, and what is left is the part of the consumer.</li>
 * <li>The names of those that have changed something are kept in this order, apart for
 * consumer and relay.</li>
 * <li>Who undoes goes through the names from the last to the first. A name that stands
 * for no transformer is an error: what is not understood is never sent as if it
 * were.</li>
 * </ol>
 */
public final class PayloadTransformers {

	/**
	 * A chain that changes nothing, and can undo nothing.
	 */
	public static final PayloadTransformers NONE = new PayloadTransformers(List.of(), List.of());

	private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9.-]{0,49}");

	private static final String SEPARATOR = ", ";

	private static final Pattern SEPARATORS = Pattern.compile("\\s*,\\s*");

	private final List<PayloadTransformer> writing;

	private final Map<String, PayloadTransformer> reading;

	/**
	 * Create a chain.
	 * @param writing those that change payloads, in their order
	 * @param reading those that only undo what others have done
	 * @throws IllegalArgumentException if a name is not valid, or two have the same
	 */
	public PayloadTransformers(List<PayloadTransformer> writing, List<PayloadTransformer> reading) {
		this.writing = writing.stream().sorted(Comparator.comparing(PayloadTransformer::undoneBy)).toList();
		this.reading = new LinkedHashMap<>();
		for (List<PayloadTransformer> some : List.of(this.writing, reading)) {
			for (PayloadTransformer transformer : some) {
				PayloadTransformer other = this.reading.put(require(transformer.encoding()), transformer);
				if (other != null) {
					throw new IllegalArgumentException(
							"Two payload transformers are called '%s', %s and %s: give one of them another name"
								.formatted(transformer.encoding(), other.getClass().getName(),
										transformer.getClass().getName()));
				}
			}
		}
	}

	private static String require(String name) {
		Assert.isTrue(NAME.matcher(name).matches(),
				() -> "A payload transformer is called '%s': its name needs lower-case letters, digits, dots and dashes, at most 50 of them"
					.formatted(name));
		return name;
	}

	/**
	 * Change the payload of a message that is stored.
	 * @param payload the payload
	 * @param messageId the id of the message
	 * @param name the name of the message
	 * @return the changed payload, or {@code null} if it stays as it is
	 */
	public @Nullable EncodedPayload encode(byte[] payload, Object messageId, String name) {
		return this.writing.isEmpty() ? null
				: encode(payload, this.writing, new PayloadContext(messageId.toString(), name));
	}

	/**
	 * Change the payload of a message that is sent and was not stored, with those
	 * transformers only that a consumer undoes.
	 * @param payload the payload
	 * @param messageId the id of the message
	 * @param name the name of the message
	 * @return the changed payload, or {@code null} if it stays as it is
	 */
	public @Nullable EncodedPayload encodeForConsumer(byte[] payload, Object messageId, String name) {
		List<PayloadTransformer> some = this.writing.stream()
			.filter((transformer) -> transformer.undoneBy() == UndoneBy.CONSUMER)
			.toList();
		return some.isEmpty() ? null : encode(payload, some, new PayloadContext(messageId.toString(), name));
	}

	private static @Nullable EncodedPayload encode(byte[] payload, List<PayloadTransformer> transformers,
			PayloadContext context) {
		byte[] body = payload;
		List<String> forConsumer = new ArrayList<>();
		List<String> forRelay = new ArrayList<>();
		for (PayloadTransformer transformer : transformers) {
			byte[] encoded = transformer.encode(body, context);
			if (encoded != null) {
				body = encoded;
				((transformer.undoneBy() == UndoneBy.CONSUMER) ? forConsumer : forRelay).add(transformer.encoding());
			}
		}
		return (forConsumer.isEmpty() && forRelay.isEmpty()) ? null
				: new EncodedPayload(body, String.join(SEPARATOR, forConsumer), String.join(SEPARATOR, forRelay));
	}

	/**
	 * Return whether the chain can undo all that was done to a payload.
	 * @param encodings the names of what was done, joined by commas
	 * @return {@code false} if a name stands for no transformer
	 */
	public boolean know(String encodings) {
		return names(encodings).stream().allMatch(this.reading::containsKey);
	}

	/**
	 * Undo what was done to a payload.
	 * @param payload the payload
	 * @param encodings the names of what was done, in that order, joined by commas
	 * @param context which message it belongs to
	 * @return the payload as it was before
	 * @throws PayloadUnavailableException if the message is not to blame
	 * @throws IllegalArgumentException if a name stands for no transformer, or one of
	 * them cannot undo what it has done
	 */
	public byte[] decode(byte[] payload, String encodings, PayloadContext context) {
		byte[] body = payload;
		List<String> names = names(encodings);
		Collections.reverse(names);
		for (String name : names) {
			PayloadTransformer transformer = this.reading.get(name);
			Assert.isTrue(transformer != null,
					() -> "The payload was changed by '%s', and no payload transformer here has that name: declare the PayloadTransformer bean that the application has which published it"
						.formatted(name));
			body = decode(body, transformer, context);
		}
		return body;
	}

	private static byte[] decode(byte[] body, PayloadTransformer transformer, PayloadContext context) {
		try {
			return transformer.decode(body, context);
		}
		catch (PayloadUnavailableException ex) {
			throw ex;
		}
		// Transformers throw what they like
		catch (RuntimeException ex) {
			throw new IllegalArgumentException("'%s' cannot be undone: %s".formatted(transformer.encoding(), ex), ex);
		}
	}

	private static List<String> names(String encodings) {
		return new ArrayList<>(Arrays.asList(SEPARATORS.split(encodings.strip())));
	}

}
