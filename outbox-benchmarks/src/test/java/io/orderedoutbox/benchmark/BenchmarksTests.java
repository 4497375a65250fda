/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.benchmark;

import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(120)
@Tag("slow")
class BenchmarksTests {

	@Test
	void aScenarioIsMeasuredAndReported(@TempDir Path reports) throws Exception {
		int status = Benchmarks.run("drain", "--scale", "0.01", "--rounds", "1", "--reports", reports.toString());
		// Whether it is fast enough is not asked here
		assertThat(status).isIn(0, 1);
		JsonNode results = JsonMapper.shared().readTree(Files.readString(reports.resolve("results.json")));
		JsonNode drain = results.get("figures").get(0);
		assertThat(drain.get("scenario").asString()).isEqualTo("drain");
		assertThat(drain.propertyNames()).containsExactlyInAnyOrder("scenario", "what", "value", "unit", "limit",
				"goal");
		assertThat(drain.get("value").asDouble()).isPositive();
		assertThat(drain.get("limit").get("value").asDouble()).isPositive();
		assertThat(reports.resolve("results.svg")).content().contains(drain.get("what").asString());
	}

	// What is put into the store is not heard of by the relay, which may have polled just
	// before
	@Test
	@Tag("thorough")
	void claimsAreMeasuredWhateverTheTimeOfTheLastPoll(@TempDir Path reports) throws Exception {
		int status = Benchmarks.run("growing-backlog", "--scale", "0.001", "--rounds", "1", "--property",
				"outbox.relay.poll-interval=1h", "--reports", reports.toString());
		assertThat(status).isIn(0, 1);
	}

	@Test
	void aWrongCallIsTold() throws Exception {
		assertThat(Benchmarks.run("no-scenario")).isEqualTo(2);
	}

	@Test
	void helpIsNoWrongCall() throws Exception {
		assertThat(Benchmarks.run("--help")).isZero();
	}

}
