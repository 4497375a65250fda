/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.orderedoutbox.relay.Schedule.Actor;
import io.orderedoutbox.store.Claim;
import io.orderedoutbox.store.DelegatingClaim;
import org.jspecify.annotations.Nullable;

/**
 * Which worker owns which keys: one at a time, unless the connection of the other was
 * lost.
 */
final class SimulatedOwners {

	private final Schedule schedule;

	private final SimulatedFaults faults;

	private final Map<String, Actor> owners = new HashMap<>();

	private int suspended;

	SimulatedOwners(Schedule schedule, SimulatedFaults faults) {
		this.schedule = schedule;
		this.faults = faults;
	}

	/** The thread that runs has made a claim. */
	Claim claimed(Claim claim) {
		Actor worker = this.schedule.current();
		List<String> keys = claim.sequences()
			.stream()
			.map((sequence) -> sequence.messages().get(0).message().partitionKey())
			.filter((key) -> !key.isEmpty())
			.toList();
		for (String key : keys) {
			Actor owner = this.owners.put(key, worker);
			if (owner != null && this.faults.lostFor(owner).isZero()) {
				this.schedule.fail(new AssertionError("%s has key %s, and %s claims it".formatted(owner, key, worker)));
			}
		}
		return new DelegatingClaim(claim) {

			@Override
			public void commit() {
				release(worker, keys);
				super.commit();
			}

			@Override
			public void suspend() {
				release(worker, keys);
				super.suspend();
				SimulatedOwners.this.suspended++;
			}

			@Override
			public void close() {
				release(worker, keys);
				super.close();
			}

		};
	}

	/** How many claims were given up while messages were in flight. */
	int suspended() {
		return this.suspended;
	}

	private void release(@Nullable Actor worker, List<String> keys) {
		keys.forEach((key) -> this.owners.remove(key, worker));
	}

}
