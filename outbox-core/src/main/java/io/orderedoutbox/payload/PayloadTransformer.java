/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.payload;

import org.jspecify.annotations.Nullable;

/**
 * Changes payloads on their way: compresses them, encrypts them, or puts them elsewhere.
 * Each bean of this type is part of one chain. When an event is published, it is
 * serialised, and goes through those that a consumer undoes, and then through those that
 * the relay undoes, each group in the order of the beans. Undoing goes the other way.
 * <p>
 * The row says which transformers have changed its payload. A transformer that is not in
 * the chain any more cannot be undone: keep the bean, and let {@link #encode} return
 * {@code null}, for as long as there are rows, dead letters, archived messages and
 * messages in queues that it has changed.
 * <p>
 * Several threads use a transformer at the same time. What it does to one and the same
 * payload need not be the same each time.
 */
public interface PayloadTransformer {

	/**
	 * Return the name of what the transformer does. It is stored with each message that
	 * the transformer has changed, and a consumer that is to undo it finds it in the AMQP
	 * property {@code content_encoding}. It must never change.
	 * @return the name, such as {@code gzip}: lower-case letters, digits, dots and
	 * dashes, at most 50 characters
	 */
	String encoding();

	/**
	 * Return who undoes what the transformer does. A change applies to new messages.
	 * @return the consumer, unless the transformer says something else
	 */
	default UndoneBy undoneBy() {
		return UndoneBy.CONSUMER;
	}

	/**
	 * Change a payload. Any exception refuses the event at the call.
	 * @param payload the payload, not to be modified; it may be empty
	 * @param context which message it belongs to
	 * @return the changed payload, in another array, or {@code null} to leave the payload
	 * as it is: then the message does not say that the transformer was there
	 */
	byte @Nullable [] encode(byte[] payload, PayloadContext context);

	/**
	 * Undo it. In the relay an exception is a failure of this message, which spends an
	 * attempt; where a listener gets its payload by its type, the message is rejected. An
	 * implementation must find out by itself that a payload is damaged or was cut off,
	 * and bound what it makes of it.
	 * @param payload what {@link #encode} has returned, not to be modified
	 * @param context which message it belongs to
	 * @return what {@link #encode} was given
	 * @throws PayloadUnavailableException if the message is not to blame: it is tried
	 * again, and spends no attempt
	 */
	byte[] decode(byte[] payload, PayloadContext context);

	/**
	 * Who undoes what a transformer does.
	 */
	enum UndoneBy {

		/**
		 * The consumer: what the transformer does is for the table and for the wire.
		 */
		CONSUMER,

		/**
		 * The relay, before it sends: what the transformer does is for the tables only,
		 * and no consumer knows of it.
		 */
		RELAY

	}

}
