/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.benchmark.scenario;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;

import io.orderedoutbox.benchmark.cost.Costs;

/**
 * What is measured with cold code says little: the JVM compiles it on the same cores. So
 * it is done again and again, for ten seconds at least, until the compiler takes less
 * than a tenth of the processor time of this process, or half a minute is over.
 *
 * @param scale what these times are multiplied by: 1 for figures that count
 */
record WarmUp(double scale) {

	private static final double SHORTEST_SECONDS = 10;

	private static final double LONGEST_SECONDS = 30;

	private static final double MOST_COMPILING = 0.1;

	private static final CompilationMXBean COMPILER = ManagementFactory.getCompilationMXBean();

	void by(Bench.Step step) throws Exception {
		long begun = System.nanoTime();
		boolean warm;
		do {
			boolean compiling = isCompilingDuring(step);
			double seconds = (System.nanoTime() - begun) / 1e9 / this.scale;
			warm = seconds > LONGEST_SECONDS || (seconds > SHORTEST_SECONDS && !compiling);
		}
		while (!warm);
	}

	private static boolean isCompilingDuring(Bench.Step step) throws Exception {
		long compiled = COMPILER.getTotalCompilationTime();
		Duration worked = Costs.cpuOfThisProcess();
		step.run();
		return COMPILER.getTotalCompilationTime() - compiled > MOST_COMPILING
				* Costs.cpuOfThisProcess().minus(worked).toMillis();
	}

}
