package io.orderedoutbox.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import io.orderedoutbox.chaos.fault.Fault;
import io.orderedoutbox.chaos.oracle.Breach;
import io.orderedoutbox.chaos.oracle.Evidence;
import io.orderedoutbox.chaos.oracle.Findings;
import io.orderedoutbox.chaos.oracle.Oracle;
import io.orderedoutbox.chaos.oracle.Recorder;
import io.orderedoutbox.chaos.oracle.Rules;
import io.orderedoutbox.chaos.oracle.Verdict;
import io.orderedoutbox.chaos.process.JvmProcess;
import io.orderedoutbox.chaos.server.ControlledServers;

import org.springframework.dao.DataAccessException;
import org.springframework.util.FileSystemUtils;

/**
 * One run of the suite.
 * <ol>
 * <li>Processes start on an empty database: some only relay, others only write.</li>
 * <li>Faults happen until there have been enough of them and enough messages.</li>
 * <li>All is whole again. The writers end, and everything must arrive.</li>
 * <li>The {@link Oracle} judges.</li>
 * </ol>
 */
final class ChaosRun {

	private static final Duration LAST_MESSAGES = Duration.ofSeconds(90);

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
		try (ChaosWorld world = new ChaosWorld(this.servers, this.settings, directory);
				Recorder recorder = new Recorder(this.servers, world.topology().queue())) {
			world.topology().setConsumerPause(recorder::pause);
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
			return new ChaosReport(this.settings, verdict, fate.records(), Duration.ofNanos(System.nanoTime() - start));
		}
	}

	private void course(ChaosWorld world, Recorder recorder, Fate fate, Findings findings, long deadline)
			throws InterruptedException {
		Pace pace = new Pace(world.schema(), recorder, this.settings, () -> fate.records().size());
		try {
			fate.start();
			require(findings, fate.join(deadline), "the faults did not end in time");
			require(findings, !fate.failures().isEmpty() || pace.awaitEnough(deadline),
					"not enough messages were written in time");
		}
		finally {
			pace.stop();
		}
		fate.failures().forEach((failure) -> findings.add(Breach.UNFINISHED, failure));
		world.writers().forEach(JvmProcess::terminate);
		long end = System.nanoTime() + LAST_MESSAGES.toNanos();
		require(findings, await(() -> world.schema().depth() == 0, end), "messages are still in the outbox");
		require(findings, world.schema().deadLetters() == 0, "there are dead letters");
		world.relays().forEach(JvmProcess::terminate);
		require(findings, await(() -> world.topology().depth() == 0, end), "messages are still in the queue");
		awaitSilence(recorder);
		world.processes()
			.flatMap((process) -> process.misdeeds().stream())
			.forEach((misdeed) -> findings.add(Breach.PROCESS, misdeed));
	}

	private static void require(Findings findings, boolean condition, String otherwise) {
		if (!condition) {
			findings.add(Breach.UNFINISHED, otherwise);
		}
	}

	private static boolean await(BooleanSupplier condition, long deadline) throws InterruptedException {
		while (!holds(condition)) {
			if (System.nanoTime() - deadline > 0) {
				return false;
			}
			TimeUnit.MILLISECONDS.sleep(100);
		}
		return true;
	}

	private static boolean holds(BooleanSupplier condition) {
		try {
			return condition.getAsBoolean();
		}
		catch (DataAccessException | IllegalStateException ex) {
			// Database or broker could not be healed, and that will be reported
			return false;
		}
	}

	private static void awaitSilence(Recorder recorder) throws InterruptedException {
		int count;
		do {
			count = recorder.count();
			TimeUnit.SECONDS.sleep(1);
		}
		while (recorder.count() > count);
	}

}
