/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor.console;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;

/**
 * The same Actuator endpoint under the id {@code orderedoutbox}, for an application in
 * which another one has the id {@code outbox}.
 */
@WebEndpoint(id = "orderedoutbox", defaultAccess = Access.READ_ONLY)
public final class OrderedOutboxEndpoint extends OutboxEndpoint {

	/**
	 * Create an endpoint.
	 * @param consoles what is shown and done
	 */
	public OrderedOutboxEndpoint(OutboxConsoles consoles) {
		super(consoles);
	}

}
