/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.payload;

import java.util.Collection;
import java.util.Map;

/**
 * Knows the payloads of messages that carry a reference only, such as an event store.
 * Declare a bean of this type on each instance that relays. A {@code PayloadSerializer}
 * makes such messages with {@code Payload.reference(id)}.
 */
@FunctionalInterface
public interface PayloadSource {

	/**
	 * Load payloads. The relay calls this once for what it has claimed at a time, on the
	 * thread that sends, in no transaction of the caller. It calls again with fewer
	 * references to find out with which of them something is wrong, and with one that was
	 * loaded before to find out whether the source is there. Several threads may call at
	 * the same time.
	 * <p>
	 * A message whose payload is not there fails, and spends an attempt: it must be there
	 * when the transaction commits that has published the message. If the source cannot
	 * be reached, all that refer to it wait, and spend none. Until the method returns no
	 * message of the batch leaves: bound the time that it takes.
	 * @param references the references, each of them once; at most
	 * {@code outbox.relay.batch-size}
	 * @return the payloads that are there
	 * @throws PayloadUnavailableException if the source cannot be reached
	 * @throws org.springframework.dao.DataAccessException if a database says so: a
	 * time-out or a lock is no fault of a message, a statement that is refused is. Of
	 * anything else, such as a connection that was closed, the relay finds out whether it
	 * comes with one reference, or with all of them
	 */
	Map<PayloadReference, LoadedPayload> load(Collection<PayloadReference> references);

}
