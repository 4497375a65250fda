/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.fault;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Everything that can go wrong.
 */
public final class Faults {

	private static final Set<String> NOTICED_BY_CONSUMERS = Set.of("relay killed", "relay frozen for a moment",
			"writer killed", "broker killed", "broker node stopped", "connections closed again and again",
			"a second queue rejects what the first takes", "exchange deleted", "database killed",
			"database connections killed");

	private Faults() {
	}

	/**
	 * Return one fault of each kind.
	 * @param directory where what some of them need is kept, for longer than a run
	 * @return the faults; kinds that cannot happen on this machine are left out, which is
	 * said on the console
	 */
	public static List<Fault> all(Path directory) {
		List<Fault> faults = new ArrayList<>(ProcessFaults.all());
		faults.addAll(BrokerFaults.all());
		faults.addAll(NetworkFaults.all());
		faults.addAll(DatabaseFaults.all());
		faults.addAll(ClockFaults.all(directory));
		faults.add(ManyInstances.fault());
		faults.addAll(ConsumerFaults.all());
		return List.copyOf(faults);
	}

	/**
	 * Return whether a kind is one of those that a run with consumers chooses from,
	 * unless told otherwise: what happens to the consumers themselves, to what they use,
	 * and what makes others repeat messages.
	 * @param fault the kind
	 * @return {@code true} if consumers notice it
	 */
	public static boolean concernsConsumers(Fault fault) {
		return fault.breaks().contains(Part.CONSUMER) || NOTICED_BY_CONSUMERS.contains(fault.kind());
	}

}
