/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.claim;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

import io.orderedoutbox.jdbc.claim.ClaimModel.Mode;
import io.orderedoutbox.servers.ServerKind;
import io.orderedoutbox.servers.Servers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whatever workers, writers, operators and fate do, and in whatever order: of a key only
 * a beginning of what is left is claimed, by one claim at a time, when it is due; and
 * everything is claimed in the end. The first seed is printed;
 * {@code -Dtest.jvm.args="-Dclaim.model.seed=… -Dclaim.model.seeds=1"} repeats one, and
 * more seeds or {@code -Dclaim.model.steps=…} look for longer.
 */
@Tag("order")
class ClaimModelTests {

	private static final int STEPS = Integer.getInteger("claim.model.steps", 100);

	private final SmallOutbox outbox = new SmallOutbox();

	@AfterEach
	void close() {
		this.outbox.close();
	}

	@ParameterizedTest
	@EnumSource
	void ofAKeyOnlyABeginningIsClaimedByOneClaimAtATime(Mode mode) {
		long first = Long.getLong("claim.model.seed", ThreadLocalRandom.current().nextLong(1_000_000_000));
		int seeds = Integer.getInteger("claim.model.seeds", seeds(mode));
		System.out.printf("claim model: %s, %d seeds from %d, %d steps each%n", mode, seeds, first, STEPS);
		long start = System.nanoTime();
		List<ModelledInstance> instances = List.of(new ModelledInstance(this.outbox, "A", 2, false),
				new ModelledInstance(this.outbox, "B", 1, true));
		for (long seed = first; seed < first + seeds; seed++) {
			new ClaimModel(this.outbox, instances, mode, seed).run(STEPS);
		}
		System.out.println("claim model: " + Duration.ofNanos(System.nanoTime() - start));
	}

	private static int seeds(Mode mode) {
		int most = (Servers.database().kind() == ServerKind.EMBEDDED) ? 20 : 40;
		return (mode == Mode.STRICT) ? most : most / 3;
	}

}
