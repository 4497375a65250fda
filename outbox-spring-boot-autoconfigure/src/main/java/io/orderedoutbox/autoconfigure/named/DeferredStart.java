/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.named;

import java.util.Map;
import java.util.Set;

import org.springframework.context.Lifecycle;
import org.springframework.context.support.DefaultLifecycleProcessor;

/**
 * Starts nothing when its context is refreshed: that happens while the application still
 * makes its beans. What the application has handed over is not started and not stopped at
 * all: the application does that itself, and others may still need it.
 */
final class DeferredStart extends DefaultLifecycleProcessor {

	private Set<String> handedOver = Set.of();

	/**
	 * Leave these beans to the application.
	 */
	void leave(Set<String> names) {
		this.handedOver = Set.copyOf(names);
	}

	@Override
	public void onRefresh() {
	}

	@Override
	protected Map<String, Lifecycle> getLifecycleBeans() {
		Map<String, Lifecycle> beans = super.getLifecycleBeans();
		beans.keySet().removeAll(this.handedOver);
		return beans;
	}

	/**
	 * Start what would have been started.
	 */
	void startNow() {
		super.onRefresh();
	}

}
