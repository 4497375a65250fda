/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.store;

import java.util.Set;

/**
 * A store that passes everything on to another. Subclasses override what they change.
 */
public abstract class DelegatingRelayStore implements RelayStore {

	private final RelayStore store;

	/**
	 * Create a store.
	 * @param store the store that does the work
	 */
	protected DelegatingRelayStore(RelayStore store) {
		this.store = store;
	}

	@Override
	public Claims claims() {
		return this.store.claims();
	}

	@Override
	public void committed(Set<Integer> partitions) {
		this.store.committed(partitions);
	}

	@Override
	public void refresh() {
		this.store.refresh();
	}

}
