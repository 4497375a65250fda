/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.orderedoutbox.testing.MainSources;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The packages of all modules. Those that are built after this one, such as the chaos
 * suite and the benchmarks, are known by their sources only.
 */
@Tag("unit")
class PackagesTests {

	private static final int MOST_TYPES = 30;

	private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);$");

	private static final Pattern TYPE_OF_A_PACKAGE = Pattern
		.compile("\\b(io\\.orderedoutbox(?:\\.[a-z]\\w*)*)\\.[A-Z]");

	private static final Map<String, List<String>> SOURCES = MainSources.linesOfAllModules();

	@Test
	void noPackageHasMoreThanThirtyTypes() {
		Map<String, Long> sizes = SOURCES.entrySet()
			.stream()
			.filter((source) -> !source.getKey().endsWith("/package-info.java"))
			.collect(Collectors.groupingBy((source) -> packageOf(source.getValue()), TreeMap::new,
					Collectors.counting()));
		assertThat(sizes).containsKeys("io.orderedoutbox.publish", "io.orderedoutbox.benchmark.backlog",
				"io.orderedoutbox.chaos.oracle", "io.orderedoutbox.servers");
		assertThat(sizes).allSatisfy((name, size) -> assertThat(size).as(name).isLessThanOrEqualTo(MOST_TYPES));
	}

	@Test
	void packagesHaveNoCycles() {
		Map<String, Set<String>> arrows = arrows();
		assertThat(arrows.get("io.orderedoutbox.benchmark.backlog")).contains("io.orderedoutbox.benchmark.scenario");
		assertThat(cyclesOf(arrows)).isEmpty();
	}

	// The kinds of scenarios do not know each other, and nothing knows the command line
	@ParameterizedTest
	@CsvSource({ "figure, ''", "load, ''", "cost, figure", "broker, 'figure,load'", "application, 'cost,load'",
			"scenario, 'application,broker,cost,figure,load'",
			"backlog, 'application,broker,cost,figure,load,scenario'",
			"latency, 'application,broker,cost,figure,load,scenario'",
			"publish, 'application,broker,cost,figure,load,scenario'",
			"consume, 'application,broker,cost,figure,load,scenario'",
			"idle, 'application,broker,cost,figure,load,scenario'" })
	void arrowsOfTheBenchmarksPointOneWay(String from, String to) {
		String benchmarks = "io.orderedoutbox.benchmark";
		Set<String> allowed = Stream.concat(Stream.of(from), Stream.of(to.split(",")))
			.map((name) -> benchmarks + "." + name)
			.collect(Collectors.toSet());
		assertThat(arrows()).containsKey(benchmarks + "." + from);
		assertThat(arrows().get(benchmarks + "." + from).stream().filter((name) -> name.startsWith(benchmarks)))
			.isSubsetOf(allowed);
	}

	@Test
	void aCycleIsFoundWithoutWhatOnlyLeadsToIt() {
		Map<String, Set<String>> arrows = Map.of("above", Set.of("one"), "one", Set.of("two"), "two",
				Set.of("three", "below"), "three", Set.of("one"), "below", Set.of("outside"));
		assertThat(cyclesOf(arrows))
			.isEqualTo(Map.of("one", Set.of("two"), "two", Set.of("three"), "three", Set.of("one")));
	}

	private static Map<String, Set<String>> arrows() {
		Map<String, Set<String>> arrows = new TreeMap<>();
		SOURCES.values()
			.forEach((lines) -> arrows.computeIfAbsent(packageOf(lines), (name) -> new TreeSet<>())
				.addAll(packagesNamedIn(lines)));
		arrows.forEach((from, to) -> to.remove(from));
		return arrows;
	}

	private static String packageOf(List<String> lines) {
		return PACKAGE.matcher(String.join("\n", lines))
			.results()
			.map((MatchResult match) -> match.group(1))
			.findFirst()
			.orElseThrow();
	}

	// Comments may name a package above their own
	private static Set<String> packagesNamedIn(List<String> lines) {
		return lines.stream()
			.map(String::strip)
			.filter((line) -> !line.startsWith("*") && !line.startsWith("/"))
			.flatMap((line) -> TYPE_OF_A_PACKAGE.matcher(line).results())
			.map((match) -> match.group(1))
			.collect(Collectors.toSet());
	}

	// What is left when packages without an arrow from them, or to them, are taken away
	private static Map<String, Set<String>> cyclesOf(Map<String, Set<String>> arrows) {
		Map<String, Set<String>> left = new HashMap<>();
		arrows.forEach((from, to) -> left.put(from, new TreeSet<>(to)));
		int before;
		do {
			before = left.size();
			left.values().forEach((to) -> to.retainAll(left.keySet()));
			left.values().removeIf(Set::isEmpty);
			Set<String> reached = left.values().stream().flatMap(Set::stream).collect(Collectors.toSet());
			left.keySet().retainAll(reached);
		}
		while (left.size() < before);
		return left;
	}

}
