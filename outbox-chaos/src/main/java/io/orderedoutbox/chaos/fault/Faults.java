package io.orderedoutbox.chaos.fault;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Everything that can go wrong.
 */
public final class Faults {

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
		return List.copyOf(faults);
	}

}
