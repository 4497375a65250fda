package io.orderedoutbox.store;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

import org.springframework.util.unit.DataSize;

/**
 * What it costs to find the runs in a window of 4,000 rows, from which a batch of 2,000
 * is claimed.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class CandidatesOfWindow {

	private static final int ROWS = 4_000;

	@Param({ "1", "1000", "4000" })
	int keys;

	private final ClaimSettings settings = new ClaimSettings(true, 2_000, DataSize.ofMegabytes(16),
			Duration.ofSeconds(30));

	private List<Row> window = List.of();

	/**
	 * Make the window.
	 */
	@Setup
	public void prepare() {
		this.window = IntStream.range(0, ROWS)
			.mapToObj((row) -> new Row(row + 1, "key-" + row % this.keys, 400, true))
			.toList();
	}

	/**
	 * Find the runs.
	 */
	@Benchmark
	public Object in() {
		return Candidate.in(this.window, this.settings);
	}

	/**
	 * Find the runs, and cut them to a batch.
	 */
	@Benchmark
	public Object inAndCut() {
		return Candidate.cut(Candidate.in(this.window, this.settings), this.settings);
	}

}
