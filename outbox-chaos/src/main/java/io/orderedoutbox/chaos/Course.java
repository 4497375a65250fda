/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;

import io.orderedoutbox.chaos.oracle.Breach;
import io.orderedoutbox.chaos.oracle.Findings;
import io.orderedoutbox.chaos.process.JvmProcess;

import org.springframework.dao.DataAccessException;

/**
 * The course of a run.
 * <ol>
 * <li>Faults happen until there have been enough of them and enough messages.</li>
 * <li>All is whole again. The writers end.</li>
 * <li>The outbox becomes empty. The relays end.</li>
 * <li>What the relays have sent reaches the end of its way, which each kind of run waits
 * for by itself.</li>
 * <li>No process has done anything that it should not have.</li>
 * </ol>
 */
final class Course {

	private static final Duration LAST_MESSAGES = Duration.ofSeconds(90);

	private final ChaosWorld world;

	private final Fate fate;

	private final Findings findings;

	Course(ChaosWorld world, Fate fate, Findings findings) {
		this.world = world;
		this.fate = fate;
		this.findings = findings;
	}

	/**
	 * Let faults happen, and end writers and relays.
	 * @return until when the last messages have to reach the end of their way
	 */
	long run(Pace pace, long deadline) throws InterruptedException {
		try {
			this.fate.start();
			require(this.fate.join(deadline), "the faults did not end in time");
			require(!this.fate.failures().isEmpty() || pace.awaitEnough(deadline),
					"not enough messages were written in time");
		}
		finally {
			pace.stop();
		}
		this.fate.failures().forEach((failure) -> this.findings.add(Breach.UNFINISHED, failure));
		this.world.writers().forEach(JvmProcess::terminate);
		long end = System.nanoTime() + LAST_MESSAGES.toNanos();
		require(await(() -> this.world.tables().depth() == 0, end), "messages are still in the outbox");
		require(this.world.tables().deadLetters() == 0, "there are dead letters");
		this.world.relays().forEach(JvmProcess::terminate);
		return end;
	}

	void require(boolean condition, String otherwise) {
		if (!condition) {
			this.findings.add(Breach.UNFINISHED, otherwise);
		}
	}

	void requireWellBehavedProcesses() {
		this.world.processes()
			.flatMap((process) -> process.misdeeds().stream())
			.forEach((misdeed) -> this.findings.add(Breach.PROCESS, misdeed));
	}

	static boolean await(BooleanSupplier condition, long deadline) throws InterruptedException {
		while (!holds(condition)) {
			if (System.nanoTime() - deadline > 0) {
				return false;
			}
			TimeUnit.MILLISECONDS.sleep(100);
		}
		return true;
	}

	private static boolean holds(BooleanSupplier condition) {
		try {
			return condition.getAsBoolean();
		}
		catch (DataAccessException | IllegalStateException ex) {
			// Database or broker could not be healed, and that will be reported
			return false;
		}
	}

	static void awaitSilence(IntSupplier count) throws InterruptedException {
		int before;
		do {
			before = count.getAsInt();
			TimeUnit.SECONDS.sleep(1);
		}
		while (count.getAsInt() > before);
	}

}
