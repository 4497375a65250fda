package io.orderedoutbox.benchmark;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Measures scenarios and reports what was found. Ends with 0 if every goal was reached,
 * with 1 if not, and with 2 if it was called wrongly.
 */
public final class Benchmarks {

	private Benchmarks() {
	}

	/**
	 * Run the benchmarks.
	 * @param arguments see {@code --help}
	 * @throws Exception if something could not be measured
	 */
	public static void main(String[] arguments) throws Exception {
		if (Arrays.asList(arguments).contains("--help")) {
			System.out.println(Options.usage());
			return;
		}
		Options options;
		try {
			options = Options.of(arguments);
		}
		catch (IllegalArgumentException ex) {
			System.err.println(ex.getMessage() + "\n\n" + Options.usage());
			System.exit(2);
			return;
		}
		List<Figure> figures = new ArrayList<>();
		for (Scenario scenario : options.scenarios()) {
			System.out.printf("%n%s: %s%n", scenario.name(), scenario.title());
			figures.addAll(scenario.measure(options.bench()));
		}
		Report report = new Report(options.bench(), figures);
		report.write(options.reports());
		System.out.printf("%n%s%n%s%n", report.table(), options.reports().toAbsolutePath());
		System.exit(figures.stream().allMatch(Figure::isReached) ? 0 : 1);
	}

}
