/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.once;

import java.io.PrintStream;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

import io.orderedoutbox.relay.Batch;
import io.orderedoutbox.relay.OneShotResult;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * {@link OneShotOutput} for programs: one JSON object in a line. What is in it is
 * documented; more may be added, and nothing is taken away.
 */
public final class JsonOutput implements OneShotOutput {

	// Our own: the application's settings must not change what is written
	private final JsonMapper json = JsonMapper.shared();

	private final PrintStream out;

	/**
	 * Create an output.
	 * @param out where it goes
	 */
	public JsonOutput(PrintStream out) {
		this.out = out;
	}

	@Override
	public void batch(Batch batch, int workers) {
		Map<String, @Nullable Object> line = new LinkedHashMap<>();
		line.put("event", "batch");
		line.put("worker", batch.worker());
		line.put("workers", workers);
		line.put("claimed", batch.claimed());
		line.put("published", batch.published());
		line.put("failed", batch.failed());
		line.put("claim_ms", millis(batch.claim()));
		line.put("send_ms", millis(batch.send()));
		line.put("complete_ms", millis(batch.complete()));
		print(line);
	}

	@Override
	public void end(OneShotResult result) {
		Map<String, @Nullable Object> line = new LinkedHashMap<>();
		line.put("event", "end");
		line.put("reason", result.ending().name().toLowerCase(Locale.ROOT).replace('_', '-'));
		line.put("error", result.error());
		line.put("exit_code", ExitCode.of(result).code());
		line.put("workers", result.workers());
		line.put("batches", result.totals().batches());
		line.put("claimed", result.totals().claimed());
		line.put("published", result.totals().published());
		line.put("failed", result.totals().failed());
		line.put("duration_ms", millis(result.duration()));
		print(line);
	}

	private static double millis(Duration duration) {
		return Math.round(duration.toNanos() / 1000.0) / 1000.0;
	}

	private void print(Map<String, @Nullable Object> line) {
		this.out.println(this.json.writeValueAsString(line));
	}

}
