package io.orderedoutbox.chaos;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.orderedoutbox.chaos.fault.FaultRecord;
import io.orderedoutbox.chaos.oracle.Breach;
import io.orderedoutbox.chaos.oracle.Figures;
import io.orderedoutbox.chaos.oracle.Verdict;
import org.jspecify.annotations.Nullable;

/**
 * What a run has shown.
 *
 * @param settings what the run was like
 * @param verdict what the oracle says
 * @param faults what went wrong
 * @param duration how long the run took
 */
record ChaosReport(ChaosSettings settings, Verdict verdict, List<FaultRecord> faults, Duration duration) {

	boolean isClean() {
		return this.verdict.findings().isClean();
	}

	/**
	 * How often each kind of fault happened.
	 */
	Map<String, Integer> faultsByKind() {
		Map<String, Integer> kinds = new TreeMap<>();
		this.faults.forEach((fault) -> kinds.merge(fault.kind(), 1, Integer::sum));
		return kinds;
	}

	/**
	 * The figures by what they are called in tables.
	 */
	Map<String, Object> figures() {
		Figures figures = this.verdict.figures();
		Map<String, Object> named = new LinkedHashMap<>();
		named.put("messages", figures.messages());
		named.put("faults", this.faults.size());
		named.put("lost", violations(Breach.LOST));
		named.put("overtaken", violations(Breach.OVERTAKEN));
		named.put("phantom", violations(Breach.PHANTOM));
		named.put("altered", violations(Breach.ALTERED));
		named.put("duplicates", figures.duplicates());
		named.put("of these beyond a run (relay frozen)", figures.farDuplicates());
		named.put("of these unexplained", violations(Breach.UNEXPLAINED_DUPLICATE));
		named.put("redelivered by the broker", figures.redelivered());
		named.put("attempts by reason", figures.attempts());
		named.put("attempts spent by outages", violations(Breach.ATTEMPT));
		named.put("refused business transactions", figures.refusals());
		named.put("longest stall (s)", seconds(figures.longestStall()));
		named.put("longest stall while nothing was broken (s)", seconds(figures.longestHealthyStall()));
		named.put("longest gap between arrivals while nothing was broken (s)", seconds(figures.longestHealthyGap()));
		named.put("other violations", violations(Breach.REFUSAL) + violations(Breach.LEDGER)
				+ violations(Breach.PROCESS) + violations(Breach.UNFINISHED));
		named.put("duration (s)", this.duration.toSeconds());
		return named;
	}

	private int violations(Breach breach) {
		return this.verdict.findings().count(breach);
	}

	private static Object seconds(@Nullable Duration duration) {
		return (duration != null) ? duration.toMillis() / 1000.0 : "not measured";
	}

	@Override
	public String toString() {
		StringBuilder text = new StringBuilder(
				"chaos: %s: %s%n".formatted(this.settings, isClean() ? "clean" : "NOT CLEAN"));
		figures().forEach((name, value) -> text.append("  %-58s %s%n".formatted(name, value)));
		faultsByKind().forEach((kind, count) -> text.append("  %5d x %s%n".formatted(count, kind)));
		this.verdict.findings().examples().forEach((example) -> text.append("  ").append(example).append('\n'));
		return text.toString();
	}

}
