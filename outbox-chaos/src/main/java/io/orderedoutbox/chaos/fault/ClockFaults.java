/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.fault;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

import io.orderedoutbox.chaos.process.JvmProcess;
import io.orderedoutbox.chaos.process.Launch;
import io.orderedoutbox.chaos.time.Waiting;

/**
 * Applications that have another idea of the time than the database.
 */
final class ClockFaults {

	// All with daylight saving time, in the north and in the south, by whole and by half
	// hours
	private static final List<String> ZONES = List.of("America/New_York", "Europe/Berlin", "Australia/Lord_Howe",
			"America/Santiago", "America/St_Johns", "Africa/Casablanca", "Pacific/Auckland");

	private static final int[] JUMPS = { 5, -7, 30, -30, 1, -1 };

	private static final Duration BETWEEN_JUMPS = Duration.ofMillis(1600);

	private ClockFaults() {
	}

	static List<Fault> all(Path directory) {
		List<Fault> faults = new ArrayList<>();
		faults.add(Mishap.of("time zone of a relay changed", ClockFaults::changeZoneOfRelay, Part.RELAY));
		faults.add(Mishap.of("time zone of a writer changed", ClockFaults::changeZoneOfWriter, Part.WRITER));
		Optional<FakeTime> fakeTime = FakeTime.in(directory);
		fakeTime.ifPresent((fake) -> {
			faults.add(Mishap.of("clock of a relay jumps by hours",
					(world, random) -> jump(Mishap.any(world.relays(), random), fake, random), Part.RELAY));
			faults.add(Mishap.of("clock of a writer jumps by hours",
					(world, random) -> jump(Mishap.any(world.writers(), random), fake, random), Part.WRITER));
		});
		if (fakeTime.isEmpty()) {
			System.err.println("LEFT OUT: clocks that jump, since libfaketime can neither be found nor fetched in "
					+ directory + ": unpack the Debian package libfaketime there");
		}
		return faults;
	}

	private static void changeZoneOfRelay(World world, Random random) {
		changeZone(Mishap.any(world.relays(), random), random);
	}

	private static void changeZoneOfWriter(World world, Random random) {
		changeZone(Mishap.any(world.writers(), random), random);
	}

	// It stays in that zone until it is started again for another reason
	private static void changeZone(JvmProcess process, Random random) {
		String zone = Mishap.any(ZONES, random);
		process.terminate();
		process.restart(new Launch(List.of("-Duser.timezone=" + zone), Map.of("TZ", zone)));
	}

	private static void jump(JvmProcess process, FakeTime fake, Random random) throws IOException {
		Path clock = Files.createTempFile("chaos-clock-", "");
		FakeTime.set(clock, JUMPS[random.nextInt(JUMPS.length)]);
		process.terminate();
		process.restart(fake.launch(clock));
		for (int i = 0; i < JUMPS.length / 2; i++) {
			Waiting.sleep(random, BETWEEN_JUMPS.dividedBy(2), BETWEEN_JUMPS);
			FakeTime.set(clock, JUMPS[random.nextInt(JUMPS.length)]);
		}
		process.terminate();
		process.restart();
		Files.delete(clock);
	}

}
