package io.orderedoutbox.benchmark;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * What the benchmarks are told on the command line.
 *
 * @param scenarios what to measure
 * @param bench with what
 * @param reports where to leave the reports
 */
record Options(List<Scenario> scenarios, Bench bench, Path reports) {

	static final String USAGE = """
			Usage: benchmark [scenario...] [option...]
			Without a scenario all are measured, one after the other:
			%s
			Options:
			  --database postgresql   on PostgreSQL, if the environment names one (scripts/services); only drains and publish
			  --rounds <n>      how often each is measured; figures are medians [3]
			  --payload <n>     size of a payload in bytes, from 100 to 1,000,000 [400]
			  --queue <type>    type of the queues: classic or quorum [classic]
			  --scale <x>       multiplies the numbers of messages; figures count at 1 [1]
			  --property <name=value>  a property of the measured instances that differs from its default; can be repeated
			  --driver <name=value>    an option of their JDBC driver; can be repeated
			  --reports <path>  where to leave results.json and results.svg [./target/benchmarks]
			Or: benchmark --jmh [pattern] [option of JMH...] for micro-benchmarks; see scripts/benchmark""";

	static Options of(String... arguments) {
		List<Scenario> scenarios = new ArrayList<>();
		int rounds = 3;
		int payload = 400;
		String queue = "classic";
		double scale = 1;
		Map<String, String> properties = new LinkedHashMap<>();
		Map<String, String> driver = new LinkedHashMap<>();
		Path reports = Path.of("target", "benchmarks");
		Iterator<String> words = Arrays.asList(arguments).iterator();
		while (words.hasNext()) {
			String word = words.next();
			switch (word) {
				case "--rounds" -> rounds = number(words, word, Integer::parseInt);
				case "--payload" -> payload = number(words, word, Integer::parseInt);
				case "--queue" -> queue = value(words, word);
				case "--scale" -> scale = number(words, word, Double::parseDouble);
				case "--property" -> put(properties, words, word);
				case "--driver" -> put(driver, words, word);
				case "--reports" -> reports = Path.of(value(words, word));
				default -> scenarios.add(Scenarios.named(word));
			}
		}
		require(rounds >= 1 && rounds <= 100, "--rounds must be between 1 and 100");
		require(payload >= 100 && payload <= 1_000_000, "--payload must be between 100 and 1,000,000");
		require(Set.of("classic", "quorum").contains(queue), "--queue must be classic or quorum");
		require(scale > 0 && scale <= 100, "--scale must be above 0 and at most 100");
		return new Options(scenarios.isEmpty() ? Scenarios.all() : scenarios,
				new Bench(rounds, payload, queue, scale, new Tuning(properties, driver)), reports);
	}

	private static void put(Map<String, String> settings, Iterator<String> words, String option) {
		String[] setting = value(words, option).split("=", 2);
		require(setting.length == 2 && !setting[0].isEmpty(), option + " must be name=value");
		settings.put(setting[0], setting[1]);
	}

	private static String value(Iterator<String> words, String option) {
		if (!words.hasNext()) {
			throw new IllegalArgumentException("Option " + option + " needs a value");
		}
		return words.next();
	}

	private static <T extends Number> T number(Iterator<String> words, String option, Function<String, T> parser) {
		String value = value(words, option);
		try {
			return parser.apply(value);
		}
		catch (NumberFormatException ex) {
			throw new IllegalArgumentException("Option %s needs a number, not '%s'".formatted(option, value), ex);
		}
	}

	private static void require(boolean condition, String message) {
		if (!condition) {
			throw new IllegalArgumentException(message);
		}
	}

	static String usage() {
		return USAGE.formatted(String.join("\n",
				Scenarios.all().stream().map((one) -> "  %-17s %s".formatted(one.name(), one.title())).toList()));
	}

}
