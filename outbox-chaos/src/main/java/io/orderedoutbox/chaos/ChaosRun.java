/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import io.orderedoutbox.chaos.fault.BrokerTopology;
import io.orderedoutbox.chaos.fault.DeclaredTopology;
import io.orderedoutbox.chaos.fault.Fault;
import io.orderedoutbox.chaos.fault.KafkaTopology;
import io.orderedoutbox.chaos.oracle.Evidence;
import io.orderedoutbox.chaos.oracle.Findings;
import io.orderedoutbox.chaos.oracle.KafkaRecorder;
import io.orderedoutbox.chaos.oracle.Oracle;
import io.orderedoutbox.chaos.oracle.Recorder;
import io.orderedoutbox.chaos.oracle.Recording;
import io.orderedoutbox.chaos.oracle.Rules;
import io.orderedoutbox.chaos.oracle.Verdict;
import io.orderedoutbox.chaos.server.ControlledServers;
import io.orderedoutbox.chaos.server.KafkaServers;

import org.springframework.util.FileSystemUtils;

/**
 * One run of the suite.
 * <ol>
 * <li>Processes start on an empty database: some only relay, others only write.</li>
 * <li>The run takes its {@link Course}, and a recorder takes everything that
 * arrives.</li>
 * <li>The {@link Oracle} judges.</li>
 * </ol>
 */
final class ChaosRun {

	private final ControlledServers servers;

	private final ChaosSettings settings;

	private final List<Fault> faults;

	ChaosRun(ControlledServers servers, ChaosSettings settings, List<Fault> faults) {
		this.servers = servers;
		this.settings = settings;
		this.faults = faults;
	}

	ChaosReport run() throws IOException, InterruptedException {
		Path directory = Files.createTempDirectory("outbox-chaos-");
		System.out.println("chaos: " + this.settings + ", processes leave their traces in " + directory);
		long start = System.nanoTime();
		DeclaredTopology topology = declare();
		try (ChaosWorld world = new ChaosWorld(this.servers, this.settings, directory, topology);
				Recording recorder = record(topology)) {
			world.start();
			Fate fate = new Fate(world, this.faults, this.settings);
			Findings unfinished = new Findings();
			course(world, recorder, fate, unfinished, start + this.settings.timeBound().toNanos());
			recorder.stop();
			Evidence evidence = Evidence.collect(world.jdbc(), recorder, directory, fate.records());
			Rules rules = new Rules(this.settings.ordered(), ChaosSettings.LONGEST_RUN, ChaosSettings.WORKERS);
			Verdict verdict = new Oracle(evidence, rules, unfinished).judge();
			if (verdict.findings().isClean()) {
				FileSystemUtils.deleteRecursively(directory);
			}
			return new ChaosReport(this.settings, verdict.figures(), verdict.findings(), fate.records(),
					Duration.ofNanos(System.nanoTime() - start));
		}
	}

	private DeclaredTopology declare() throws InterruptedException {
		String name = "chaos-" + this.settings.seed();
		return (this.servers instanceof KafkaServers kafka) ? KafkaTopology.declare(kafka.kafka(), name)
				: BrokerTopology.declare(this.servers, name, this.settings.queueType());
	}

	private Recording record(DeclaredTopology topology) {
		if (this.servers instanceof KafkaServers kafka) {
			return new KafkaRecorder(kafka.kafka().bootstrapServers(), topology.queue());
		}
		Recorder recorder = new Recorder(this.servers, topology.queue());
		if (topology instanceof BrokerTopology queue) {
			queue.setConsumerPause(recorder::pause);
		}
		return recorder;
	}

	private void course(ChaosWorld world, Recording recorder, Fate fate, Findings findings, long deadline)
			throws InterruptedException {
		Course course = new Course(world, fate, findings);
		long end = course.run(
				new Pace(world.tables(), () -> state(world, recorder), this.settings, () -> fate.records().size()),
				deadline);
		course.require(Course.await(() -> world.topology().depth() == 0, end), "messages are still in the queue");
		Course.awaitSilence(recorder::count);
		course.requireWellBehavedProcesses();
	}

	// Some have arrived more than once
	private static Progress.State state(ChaosWorld world, Recording recorder) {
		int depth = world.tables().depth();
		return new Progress.State((recorder.count() + depth) * 97L / 100, depth);
	}

}
