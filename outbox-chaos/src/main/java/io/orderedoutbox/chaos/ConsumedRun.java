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

import io.orderedoutbox.chaos.fault.Fault;
import io.orderedoutbox.chaos.fault.ShardTopology;
import io.orderedoutbox.chaos.oracle.EffectEvidence;
import io.orderedoutbox.chaos.oracle.EffectFigures;
import io.orderedoutbox.chaos.oracle.EffectOracle;
import io.orderedoutbox.chaos.oracle.Findings;
import io.orderedoutbox.chaos.process.JvmProcess;
import io.orderedoutbox.chaos.server.ControlledServers;
import io.orderedoutbox.inbox.shard.ShardQueues;

import org.springframework.util.FileSystemUtils;

/**
 * One run with consumers.
 * <ol>
 * <li>Processes start on an empty database: some only relay, some only write, some only
 * consume.</li>
 * <li>The run takes its {@link Course}. Each message has to have an effect, and nothing
 * more comes.</li>
 * <li>The consumers end. Nothing is left in the queues: everything was acknowledged.</li>
 * <li>The {@link EffectOracle} judges.</li>
 * </ol>
 */
final class ConsumedRun {

	// What ended consumers have not acknowledged is in the queue again by then
	private static final Duration RETURN = Duration.ofSeconds(5);

	private final ControlledServers servers;

	private final ChaosSettings settings;

	private final List<Fault> faults;

	ConsumedRun(ControlledServers servers, ChaosSettings settings, List<Fault> faults) {
		this.servers = servers;
		this.settings = settings;
		this.faults = faults;
	}

	ChaosReport run() throws IOException, InterruptedException {
		Path directory = Files.createTempDirectory("outbox-chaos-");
		System.out.println("chaos: " + this.settings + ", processes leave their traces in " + directory);
		long start = System.nanoTime();
		String name = "chaos-" + this.settings.seed();
		ShardTopology topology = new ShardTopology(this.servers, ShardQueues.of(name, name, ChaosSettings.SHARDS));
		try (ChaosWorld world = new ChaosWorld(this.servers, this.settings, directory, topology)) {
			world.start();
			Fate fate = new Fate(world, this.faults, this.settings);
			Findings findings = new Findings();
			course(world, fate, findings, start + this.settings.timeBound().toNanos());
			EffectEvidence evidence = EffectEvidence.collect(world.jdbc(), directory, fate.records());
			EffectFigures figures = new EffectOracle(evidence, findings).judge();
			if (findings.isClean()) {
				FileSystemUtils.deleteRecursively(directory);
			}
			return new ChaosReport(this.settings, figures, findings, fate.records(),
					Duration.ofNanos(System.nanoTime() - start));
		}
	}

	private void course(ChaosWorld world, Fate fate, Findings findings, long deadline) throws InterruptedException {
		Course course = new Course(world, fate, findings);
		ChaosSchema schema = world.tables();
		long end = course.run(new Pace(schema, () -> state(schema), this.settings, () -> fate.records().size()),
				deadline);
		course.require(Course.await(() -> schema.effects() >= schema.committed(), end),
				"messages have not had an effect in time");
		Course.awaitSilence(schema::effects);
		world.consumers().forEach(JvmProcess::terminate);
		course.require(Course.await(() -> world.topology().depth() == 0, System.nanoTime() + RETURN.toNanos()),
				"messages were not acknowledged");
		course.requireWellBehavedProcesses();
	}

	private static Progress.State state(ChaosSchema schema) {
		int committed = schema.committed();
		return new Progress.State(committed, committed - schema.effects());
	}

}
