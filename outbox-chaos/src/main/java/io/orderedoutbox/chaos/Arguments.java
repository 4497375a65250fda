/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

import io.orderedoutbox.chaos.server.DatabaseKind;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/**
 * The command line, word by word. {@link Options} says what it means.
 */
@Command(name = "chaos", sortOptions = false, customSynopsis = "chaos [option...]", optionListHeading = "Options:%n")
final class Arguments {

	private static final int WIDTH = 130;

	@Option(names = "--short",
			description = "two runs, at least 20,000 messages and 25 faults together (this is the default)")
	boolean shortForm;

	@Option(names = "--long", description = "four runs, 1,000,000 messages and 500 faults together, and the scenarios")
	boolean longForm;

	@Option(names = "--scenarios", description = "the timed scenarios; alone: only these")
	boolean scenarios;

	@Option(names = "--consume",
			description = "one run whose messages consumers process, each exactly once: 10,000 messages and 10 faults; "
					+ "with --long 100,000 messages and 80 faults")
	boolean consumed;

	@Option(names = "--messages", paramLabel = "<n>", description = "one run with that many messages")
	private @Nullable Integer messages;

	@Option(names = "--faults", paramLabel = "<n>", description = "one run with that many faults")
	private @Nullable Integer faults;

	@Option(names = "--ordered", description = "one run in ordered mode (the default of one run)")
	private boolean ordered;

	@Option(names = "--unordered", description = "one run in unordered mode")
	private boolean unordered;

	@Option(names = "--queue", paramLabel = "<type>",
			description = "one run on a queue of that type: classic (the default) or quorum")
	private @Nullable String queue;

	@Option(names = "--sender", paramLabel = "kafka", converter = Sender.class,
			description = "one run, ordered unless told otherwise, whose relays send to a Kafka of the suite's own: "
					+ "12,000 messages and 15 faults")
	private @Nullable String sender;

	@Option(names = "--keys", paramLabel = "<n>", description = "one run with messages of that many keys")
	private @Nullable Integer keys;

	@Option(names = "--only", paramLabel = "<kind,kind>", split = ",",
			description = "one run with faults of these kinds only")
	private Set<String> only = new LinkedHashSet<>();

	@Option(names = "--seed", paramLabel = "<n>", description = "decides what is left open; random unless given")
	long seed = ThreadLocalRandom.current().nextLong(1_000_000_000);

	@Option(names = "--database", paramLabel = "<name>", converter = Kind.class,
			description = "run on mysql (the default), postgresql, or a mariadb from a Maven artifact; the timed scenarios "
					+ "are left out on postgresql")
	private DatabaseKind database = DatabaseKind.MYSQL;

	@Option(names = "--mariadb", description = "the same as --database mariadb")
	private boolean mariadb;

	@Option(names = "--shared-servers",
			description = "run on the servers of the tests: faults that kill them are left out")
	boolean sharedServers;

	@Option(names = "--reports", paramLabel = "<path>",
			description = "where to leave report.json and report.md, otherwise ./target/chaos")
	Path reports = Path.of("target", "chaos");

	@Option(names = "--help", usageHelp = true, description = "this text")
	boolean help;

	/**
	 * Read the command line.
	 * @throws picocli.CommandLine.ParameterException if it cannot be understood, with a
	 * message for the user
	 */
	static Arguments of(String... words) {
		Arguments arguments = new Arguments();
		// The script says where the reports go, and its caller may say it again
		new CommandLine(arguments).setOverwrittenOptionsAllowed(true).parseArgs(words);
		return arguments;
	}

	static String usage() {
		return new CommandLine(new Arguments()).setUsageHelpWidth(WIDTH).getUsageMessage(Ansi.OFF);
	}

	DatabaseKind database() {
		return this.mariadb ? DatabaseKind.MARIADB : this.database;
	}

	/**
	 * Whether one run is described word by word.
	 */
	boolean isSingle() {
		return this.messages != null || this.faults != null || this.ordered || this.unordered || this.queue != null
				|| this.sender != null || this.keys != null || !this.only.isEmpty();
	}

	ChaosSettings single() {
		return (this.sender != null) ? settings(12_000, 15) : settings(20_000, 25);
	}

	ChaosSettings consuming() {
		return this.longForm ? settings(100_000, 80) : settings(10_000, 10);
	}

	// A fault takes up to half a minute when the machine is busy
	private ChaosSettings settings(int otherMessages, int otherFaults) {
		int wanted = (this.messages != null) ? this.messages : otherMessages;
		int happening = (this.faults != null) ? this.faults : otherFaults;
		Duration bound = Duration.ofMinutes(3).plusSeconds(happening * 20L + wanted / 500);
		return new ChaosSettings(this.seed, wanted, happening, !this.unordered, queueType(),
				(this.keys != null) ? this.keys : ChaosSettings.KEYS, this.only, bound, this.consumed);
	}

	private String queueType() {
		if (this.sender != null) {
			return this.sender;
		}
		return (this.queue != null) ? this.queue : "classic";
	}

	/**
	 * The one sender that the suite has beside RabbitMQ's.
	 */
	static final class Sender implements ITypeConverter<String> {

		@Override
		public String convert(String kind) {
			if (!kind.equals(ChaosSettings.KAFKA)) {
				throw new TypeConversionException(
						"There is no sender '%s' here, only kafka: leave --sender out for RabbitMQ".formatted(kind));
			}
			return kind;
		}

	}

	/**
	 * A database by its name.
	 */
	static final class Kind implements ITypeConverter<DatabaseKind> {

		@Override
		public DatabaseKind convert(String name) {
			return DatabaseKind.of(name);
		}

	}

}
