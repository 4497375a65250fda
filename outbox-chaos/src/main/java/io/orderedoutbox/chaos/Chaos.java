/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

import io.orderedoutbox.chaos.fault.Fault;
import io.orderedoutbox.chaos.fault.Faults;
import io.orderedoutbox.chaos.fault.KafkaFaults;
import io.orderedoutbox.chaos.fault.Part;
import io.orderedoutbox.chaos.scenario.Figure;
import io.orderedoutbox.chaos.scenario.Scenarios;
import io.orderedoutbox.chaos.server.ControlledServers;
import io.orderedoutbox.chaos.server.KafkaServers;
import io.orderedoutbox.chaos.server.PrivateServers;
import io.orderedoutbox.chaos.server.ServerPlace;
import io.orderedoutbox.chaos.server.SharedServers;
import picocli.CommandLine.ParameterException;

/**
 * The chaos suite: {@code scripts/chaos} runs it, and says with which options. The exit
 * code is 0 only if no promise was broken.
 */
public final class Chaos {

	private Chaos() {
	}

	/**
	 * Make the runs that the options ask for.
	 * @param arguments options: see {@link Arguments}
	 * @throws Exception if the suite itself fails
	 */
	public static void main(String[] arguments) throws Exception {
		Arguments read;
		try {
			read = Arguments.of(arguments);
		}
		catch (ParameterException ex) {
			System.err.println(ex.getMessage() + "\n\n" + Arguments.usage());
			System.exit(2);
			return;
		}
		if (read.help) {
			System.out.println(Arguments.usage());
			return;
		}
		System.exit(run(Options.of(read)) ? 0 : 1);
	}

	private static boolean run(Options options) throws Exception {
		Reports reports = new Reports();
		ServerPlace place = ServerPlace.of(System.getenv());
		try (ControlledServers servers = servers(options, place)) {
			for (ChaosSettings settings : options.runs()) {
				List<Fault> faults = faults(place.directory(), settings, options.privateServers());
				ChaosReport report = settings.consumed() ? new ConsumedRun(servers, settings, faults).run()
						: new ChaosRun(servers, settings, faults).run();
				System.out.println(report);
				reports.add(report);
				reports.write(options.reports());
			}
			if (options.scenarios()) {
				List<Figure> figures = Scenarios.play(servers, Files.createTempDirectory("outbox-scenarios-"));
				figures.forEach(System.out::println);
				reports.addAll(figures);
				reports.write(options.reports());
			}
		}
		return reports.areClean();
	}

	private static ControlledServers servers(Options options, ServerPlace place) {
		ControlledServers servers = options.privateServers() ? PrivateServers.start(place, options.database())
				: new SharedServers();
		return options.runs().stream().anyMatch(ChaosSettings::isKafka) ? KafkaServers.start(servers) : servers;
	}

	private static List<Fault> faults(Path directory, ChaosSettings settings, boolean privateServers) {
		Set<Part> untouchable = privateServers ? EnumSet.noneOf(Part.class) : EnumSet.of(Part.DATABASE, Part.BROKER);
		if (!settings.consumed()) {
			untouchable.add(Part.CONSUMER);
		}
		List<Fault> known = settings.isKafka() ? KafkaFaults.of(Faults.all(directory)) : Faults.all(directory);
		List<Fault> all = known.stream()
			.filter((fault) -> fault.breaks().stream().noneMatch(untouchable::contains))
			.toList();
		if (settings.only().isEmpty()) {
			return settings.consumed() ? all.stream().filter(Faults::concernsConsumers).toList() : all;
		}
		List<Fault> chosen = all.stream().filter((fault) -> settings.only().contains(fault.kind())).toList();
		if (chosen.size() < settings.only().size()) {
			throw new IllegalArgumentException("Not all of %s can happen here, only: %s".formatted(settings.only(),
					all.stream().map(Fault::kind).toList()));
		}
		return chosen;
	}

}
