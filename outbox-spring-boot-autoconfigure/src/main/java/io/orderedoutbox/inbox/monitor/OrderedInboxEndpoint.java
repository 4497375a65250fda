/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.monitor;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;

/**
 * The same Actuator endpoint under the id {@code orderedinbox}, for an application in
 * which another one has the id {@code inbox}.
 */
@WebEndpoint(id = "orderedinbox", defaultAccess = Access.READ_ONLY)
public final class OrderedInboxEndpoint extends InboxEndpoint {

	/**
	 * Create an endpoint.
	 * @param console what is shown and done
	 */
	public OrderedInboxEndpoint(InboxConsole console) {
		super(console);
	}

}
