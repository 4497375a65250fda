/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.named;

import io.orderedoutbox.autoconfigure.named.OutboxNamedProperties.Named;

/**
 * Adds something to the context of each outbox with a name before it is refreshed.
 */
interface NamedOutboxCustomizer {

	/**
	 * Add something.
	 * @param collaborators what the application has, and where it goes
	 * @param properties what the application has configured
	 */
	void customize(Collaborators collaborators, Named properties);

}
