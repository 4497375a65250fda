/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.process;

import io.orderedoutbox.chaos.app.ConsumerApplication;

/**
 * A process that only consumes.
 */
public final class ConsumerProcess extends ConnectedProcess {

	/**
	 * Create a consumer, which is not started yet.
	 * @param name its name
	 * @param site where it runs
	 */
	public ConsumerProcess(String name, Site site) {
		super(name, ConsumerApplication.class, site);
	}

}
