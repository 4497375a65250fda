/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.process;

import io.orderedoutbox.chaos.app.RelayApplication;

/**
 * A process that only relays.
 */
public final class RelayProcess extends ConnectedProcess {

	/**
	 * Create a relay, which is not started yet.
	 * @param name its name
	 * @param site where it runs
	 */
	public RelayProcess(String name, Site site) {
		super(name, RelayApplication.class, site);
	}

}
