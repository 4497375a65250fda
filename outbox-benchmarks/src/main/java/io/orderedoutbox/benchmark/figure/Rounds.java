/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.benchmark.figure;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.orderedoutbox.benchmark.figure.Figure.Limit;

/**
 * The values of several rounds, by what they are. Whatever is compared is measured in
 * every round, in turn, because machines are noisy.
 */
public final class Rounds {

	private final Map<String, List<Double>> values = new LinkedHashMap<>();

	public void add(String what, double value) {
		this.values.computeIfAbsent(what, (key) -> new ArrayList<>()).add(value);
	}

	public double median(String what) {
		return median(sorted(what));
	}

	/**
	 * What something stands beside that was measured as often, in turn with it.
	 * @param label what to call it
	 */
	public Limit limit(String what, String limit, String label) {
		List<Double> measured = this.values.getOrDefault(what, List.of());
		List<Double> limits = this.values.getOrDefault(limit, List.of());
		if (measured.size() != limits.size()) {
			throw new IllegalStateException(
					"There are %d rounds of %s, and %d of %s".formatted(measured.size(), what, limits.size(), limit));
		}
		double[] ratios = IntStream.range(0, limits.size())
			.mapToDouble((round) -> measured.get(round) / limits.get(round))
			.sorted()
			.toArray();
		return new Limit(label, median(limit), median(ratios));
	}

	private static double median(double[] sorted) {
		int middle = sorted.length / 2;
		return (sorted.length % 2 == 1) ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
	}

	public double greatest(String what) {
		double[] sorted = sorted(what);
		return sorted[sorted.length - 1];
	}

	private double[] sorted(String what) {
		double[] sorted = this.values.getOrDefault(what, List.of()).stream().mapToDouble(Double::doubleValue).toArray();
		if (sorted.length == 0) {
			throw new IllegalStateException("Nothing was measured of " + what);
		}
		Arrays.sort(sorted);
		return sorted;
	}

	@Override
	public String toString() {
		StringBuilder text = new StringBuilder();
		this.values.forEach((what, all) -> text.append("    ")
			.append(what)
			.append(": ")
			.append(String.join(" / ", all.stream().map(Figure::text).toList()))
			.append('\n'));
		return text.toString();
	}

}
