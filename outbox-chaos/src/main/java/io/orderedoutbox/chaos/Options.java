package io.orderedoutbox.chaos;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

import io.orderedoutbox.chaos.server.DatabaseKind;
import org.jspecify.annotations.Nullable;

/**
 * What the suite is told on the command line.
 *
 * @param runs the runs to make, one after the other
 * @param scenarios whether to play the timed scenarios, after the runs
 * @param privateServers whether to run on servers of the suite's own, which is what most
 * faults need
 * @param database what the private database is
 * @param reports where to leave the reports
 */
record Options(List<ChaosSettings> runs, boolean scenarios, boolean privateServers, DatabaseKind database,
		Path reports) {

	static final String USAGE = """
			Usage: chaos [option...]
			  --short              two runs, at least 20,000 messages and 25 faults together (this is the default)
			  --long               four runs, 1,000,000 messages and 500 faults together, and the scenarios
			  --scenarios          the timed scenarios; alone: only these
			  --consume            one run whose messages consumers process, each exactly once: 10,000 messages and
			                       10 faults; with --long 100,000 messages and 80 faults
			  --messages <n>       one run with that many messages
			  --faults <n>         one run with that many faults
			  --ordered            one run in ordered mode (the default of one run)
			  --unordered          one run in unordered mode
			  --queue <type>       one run on a queue of that type: classic (the default) or quorum
			  --sender kafka       one run, ordered unless told otherwise, whose relays send to a Kafka of the suite's
			                       own: 12,000 messages and 15 faults
			  --keys <n>           one run with messages of that many keys
			  --only <kind,kind>   one run with faults of these kinds only
			  --seed <n>           decides what is left open; random unless given
			  --database <name>    run on mysql (the default), postgresql, or a mariadb from a Maven artifact; the timed
			                       scenarios are left out on postgresql
			  --mariadb            the same as --database mariadb
			  --shared-servers     run on the servers of the tests: faults that kill them are left out
			  --reports <path>     where to leave report.json and report.md, otherwise ./target/chaos""";

	static Options of(String... arguments) {
		Single single = new Single();
		boolean isSingle = false;
		boolean longForm = false;
		boolean shortForm = false;
		boolean scenarios = false;
		boolean privateServers = true;
		DatabaseKind database = DatabaseKind.MYSQL;
		Path reports = Path.of("target", "chaos");
		Iterator<String> words = Arrays.asList(arguments).iterator();
		while (words.hasNext()) {
			String word = words.next();
			switch (word) {
				case "--short" -> shortForm = true;
				case "--long" -> longForm = true;
				case "--scenarios" -> scenarios = true;
				case "--shared-servers" -> privateServers = false;
				case "--mariadb" -> database = DatabaseKind.MARIADB;
				case "--database" -> database = DatabaseKind.of(value(words, word));
				case "--consume" -> single.consumed = true;
				case "--reports" -> reports = Path.of(value(words, word));
				case "--seed" -> single.seed = Long.parseLong(value(words, word));
				default -> {
					isSingle = true;
					single.accept(word, words);
				}
			}
		}
		if (single.consumed) {
			return new Options(List.of(single.consuming(longForm)), false, privateServers, database, reports);
		}
		boolean canPlay = database != DatabaseKind.POSTGRESQL;
		if (scenarios && !canPlay) {
			throw new IllegalArgumentException(
					"The timed scenarios fill the tables with words of MySQL: leave --scenarios out, or --database postgresql");
		}
		List<ChaosSettings> runs = new ArrayList<>();
		if (isSingle) {
			runs.add(single.settings());
		}
		if (longForm) {
			runs.addAll(longForm(single.seed));
		}
		if (shortForm || (runs.isEmpty() && !scenarios)) {
			runs.addAll(shortForm(single.seed));
		}
		return new Options(List.copyOf(runs), scenarios || (longForm && canPlay), privateServers, database, reports);
	}

	private static String value(Iterator<String> words, String option) {
		if (!words.hasNext()) {
			throw new IllegalArgumentException("Option " + option + " needs a value");
		}
		return words.next();
	}

	private static List<ChaosSettings> shortForm(long seed) {
		Duration bound = Duration.ofMinutes(6);
		return List.of(new ChaosSettings(seed, 16_000, 20, true, "classic", ChaosSettings.KEYS, Set.of(), bound, false),
				new ChaosSettings(seed + 1, 6_000, 8, false, "quorum", ChaosSettings.KEYS, Set.of(), bound, false));
	}

	private static List<ChaosSettings> longForm(long seed) {
		Duration bound = Duration.ofMinutes(60);
		List<ChaosSettings> runs = new ArrayList<>();
		runs.add(new ChaosSettings(seed, 400_000, 200, true, "classic", ChaosSettings.KEYS, Set.of(), bound, false));
		runs.add(new ChaosSettings(seed + 1, 300_000, 150, true, "quorum", ChaosSettings.KEYS, Set.of(), bound, false));
		runs.add(
				new ChaosSettings(seed + 2, 150_000, 75, false, "classic", ChaosSettings.KEYS, Set.of(), bound, false));
		runs.add(new ChaosSettings(seed + 3, 150_000, 75, false, "quorum", ChaosSettings.KEYS, Set.of(), bound, false));
		return List.copyOf(runs);
	}

	/**
	 * A run that is described word by word.
	 */
	private static final class Single {

		private long seed = ThreadLocalRandom.current().nextLong(1_000_000_000);

		private @Nullable Integer messages;

		private @Nullable Integer faults;

		private boolean consumed;

		private boolean ordered = true;

		private String queueType = "classic";

		private int keys = ChaosSettings.KEYS;

		private Set<String> only = Set.of();

		void accept(String word, Iterator<String> words) {
			switch (word) {
				case "--messages" -> this.messages = Integer.parseInt(value(words, word));
				case "--faults" -> this.faults = Integer.parseInt(value(words, word));
				case "--ordered" -> this.ordered = true;
				case "--unordered" -> this.ordered = false;
				case "--queue" -> this.queueType = value(words, word);
				case "--sender" -> this.queueType = sender(value(words, word));
				case "--keys" -> this.keys = Integer.parseInt(value(words, word));
				case "--only" -> this.only = new LinkedHashSet<>(List.of(value(words, word).split(",")));
				default -> throw new IllegalArgumentException("There is no option " + word);
			}
		}

		private static String sender(String kind) {
			if (!kind.equals(ChaosSettings.KAFKA)) {
				throw new IllegalArgumentException(
						"There is no sender '%s' here, only kafka: leave --sender out for RabbitMQ".formatted(kind));
			}
			return kind;
		}

		ChaosSettings settings() {
			return this.queueType.equals(ChaosSettings.KAFKA) ? settings(12_000, 15) : settings(20_000, 25);
		}

		ChaosSettings consuming(boolean longForm) {
			return longForm ? settings(100_000, 80) : settings(10_000, 10);
		}

		// A fault takes up to half a minute when the machine is busy
		private ChaosSettings settings(int otherMessages, int otherFaults) {
			int wanted = (this.messages != null) ? this.messages : otherMessages;
			int happening = (this.faults != null) ? this.faults : otherFaults;
			Duration bound = Duration.ofMinutes(3).plusSeconds(happening * 20L + wanted / 500);
			return new ChaosSettings(this.seed, wanted, happening, this.ordered, this.queueType, this.keys, this.only,
					bound, this.consumed);
		}

	}

}
