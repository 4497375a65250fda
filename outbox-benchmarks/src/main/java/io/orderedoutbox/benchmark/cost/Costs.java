/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.benchmark.cost;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import com.sun.management.ThreadMXBean;
import io.orderedoutbox.benchmark.figure.Figure;
import io.orderedoutbox.benchmark.figure.Goal;
import io.orderedoutbox.benchmark.figure.Rounds;

/**
 * What something costs: processor time of this JVM, of database and broker where they run
 * on this machine, memory that the threads of this JVM allocate, and round trips to the
 * database.
 */
public final class Costs {

	private static final String ROUND_TRIPS = "round trips to the database per message";

	private static final String ALLOCATED = "bytes allocated per message";

	private static final String PROCESSOR = "µs of processor per message: ";

	private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

	private final Duration jvm = cpuOf("");

	private final Duration database = cpuOfDatabase();

	private final Duration broker = cpuOf("beam.smp");

	private final long roundTrips = RoundTrips.count();

	private final Map<Long, Long> allocated = allocated();

	/**
	 * Note what has been spent since this object was made, by message. To be called
	 * before the threads that worked have ended: what those that read ahead allocate is
	 * not known.
	 */
	public void noteIn(Rounds rounds, int messages) {
		long bytes = 0;
		for (Map.Entry<Long, Long> thread : allocated().entrySet()) {
			bytes += thread.getValue() - this.allocated.getOrDefault(thread.getKey(), 0L);
		}
		if (RoundTrips.areCounted()) {
			rounds.add(ROUND_TRIPS, (double) (RoundTrips.count() - this.roundTrips) / messages);
		}
		rounds.add(ALLOCATED, (double) bytes / messages);
		rounds.add(PROCESSOR + "application", micros(this.jvm, cpuOf(""), messages));
		rounds.add(PROCESSOR + "database", micros(this.database, cpuOfDatabase(), messages));
		rounds.add(PROCESSOR + "broker", micros(this.broker, cpuOf("beam.smp"), messages));
	}

	/**
	 * The figures of what was noted.
	 */
	public static List<Figure> figures(String scenario, Rounds rounds) {
		List<Figure> figures = new ArrayList<>();
		if (RoundTrips.areCounted()) {
			figures.add(new Figure(scenario, ROUND_TRIPS, rounds.median(ROUND_TRIPS), "", null, Goal.atMost(0.05)));
		}
		figures.addAll(List.of(new Figure(scenario, ALLOCATED, rounds.median(ALLOCATED), "bytes", null, null),
				known(scenario, rounds, "application"), known(scenario, rounds, "database"),
				known(scenario, rounds, "broker")));
		return figures;
	}

	private static Figure known(String scenario, Rounds rounds, String who) {
		return new Figure(scenario, PROCESSOR + who, rounds.median(PROCESSOR + who), "µs", null, null);
	}

	private static double micros(Duration before, Duration after, int messages) {
		return after.minus(before).toNanos() / 1_000.0 / messages;
	}

	// PostgreSQL has a process for each connection
	private static Duration cpuOfDatabase() {
		return cpuOf("mysqld").plus(cpuOf("mariadbd")).plus(cpuOf("postgres"));
	}

	// This process when nothing is named
	private static Duration cpuOf(String program) {
		if (program.isEmpty()) {
			return cpuOfThisProcess();
		}
		return ProcessHandle.allProcesses()
			.filter((process) -> process.info().command().orElse("").endsWith("/" + program))
			.map((process) -> process.info().totalCpuDuration().orElse(Duration.ZERO))
			.reduce(Duration.ZERO, Duration::plus);
	}

	public static Duration cpuOfThisProcess() {
		return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
	}

	private static Map<Long, Long> allocated() {
		long[] ids = THREADS.getAllThreadIds();
		long[] bytes = THREADS.getThreadAllocatedBytes(ids);
		Map<Long, Long> allocated = new HashMap<>();
		for (int i = 0; i < ids.length; i++) {
			if (bytes[i] >= 0 && ids[i] != Thread.currentThread().getId()) {
				allocated.put(ids[i], bytes[i]);
			}
		}
		return allocated;
	}

}
