/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.documentation;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.orderedoutbox.observation.OutboxObservation.LowCardinality;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.TestQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The page about metrics and the dashboard speak of the meters that are really there, and
 * of all of them.
 */
class MetricsDocumentationTests {

	private static final Pattern ROW = Pattern
		.compile("(?m)^\\| `(outbox[^`]+)` \\| `([^`]+)` \\| ([^|]+) \\|([^|]*)\\| ([^|]+) \\|([^|]*)\\|$");

	private static final Pattern LIST = Pattern.compile("`([^`]+)`");

	private static final Set<String> NAMES = Set.of(LowCardinality.NAME.asString(), LowCardinality.EXCHANGE.asString());

	private static final String PAGE = Documents.text(Documents.root().resolve("docs/metrics.md"));

	// Micrometer makes their timers: without a description, with tags that the
	// application fills
	private static final String OBSERVATION = "outbox.message.";

	private static TestQueue queue;

	private static OutboxApplication application;

	@BeforeAll
	static void start() {
		queue = TestQueue.forEverything();
		application = OutboxApplication.on(Servers.database().fresh()).sendingTo(queue).start();
		// The timers of the observations are there from the first message on
		application.publish(new OrderPlaced("a", 1));
		application.awaitEmpty();
	}

	@AfterAll
	static void close() {
		application.close();
		queue.close();
	}

	@Test
	void everyMeterIsOnThePageWithItsTypeAndItsTags() {
		Map<String, String> documented = rows().stream()
			.collect(Collectors.toMap((row) -> row.group(1),
					(row) -> row.group(3).replace(" with histogram", "") + " " + names(row.group(4))));
		Map<String, String> registered = new TreeMap<>();
		meters().forEach((meter) -> registered.put(meter.getId().getName(),
				type(meter) + " " + new TreeSet<>(meter.getId().getTags().stream().map(Tag::getKey).toList())));
		assertThat(documented).hasSizeGreaterThan(15).isEqualTo(registered);
	}

	@Test
	void everyMeterHasADescription() {
		assertThat(meters()).filteredOn((meter) -> !meter.getId().getName().startsWith(OBSERVATION))
			.isNotEmpty()
			.allSatisfy((meter) -> assertThat(meter.getId().getDescription()).isNotBlank());
	}

	@Test
	void everyValueOfATagIsOnThePage() {
		assertThat(meters().stream().flatMap((meter) -> meter.getId().getTags().stream()))
			.filteredOn((tag) -> !NAMES.contains(tag.getKey()))
			.isNotEmpty()
			.allSatisfy((tag) -> assertThat(PAGE).contains("`" + tag.getValue() + "`"));
	}

	@Test
	void namesForPrometheusAreThoseThatItGets() {
		Set<String> scraped = Dashboard.names(application.bean(PrometheusMeterRegistry.class).scrape());
		assertThat(rows()).allSatisfy((row) -> {
			String name = row.group(2);
			boolean distributed = row.group(3).contains("timer") || row.group(3).equals("summary");
			assertThat(scraped).contains(distributed ? name + "_count" : name);
		});
		assertThat(Dashboard.expressions()).hasSizeGreaterThan(20)
			.noneMatch((expression) -> Dashboard.names(expression).isEmpty());
		// InboxMetricsTests has those of the inbox
		assertThat(scraped).containsAll(Dashboard.ofTheOutbox());
	}

	@Test
	void theDashboardShowsEverything() {
		Set<String> used = Dashboard.ofTheOutbox();
		assertThat(rows()).allSatisfy((row) -> assertThat(used).anyMatch((name) -> name.startsWith(row.group(2))));
	}

	@Test
	void theDashboardCanBeImported() {
		assertThat(Dashboard.CONTENT.path("schemaVersion").asInt()).isGreaterThan(30);
		assertThat(Dashboard.CONTENT.path("uid").asString()).isNotEmpty();
		assertThat(Dashboard.CONTENT.path("id").isNull()).isTrue();
		assertThat(Dashboard.CONTENT.path("__inputs").path(0).path("name").asString()).isEqualTo("DS_PROMETHEUS");
		List<JsonNode> panels = Dashboard.CONTENT.path("panels").valueStream().toList();
		assertThat(panels.stream().map((panel) -> panel.path("id").asInt()).distinct()).hasSameSizeAs(panels);
		assertThat(panels).allSatisfy((panel) -> {
			JsonNode position = panel.path("gridPos");
			assertThat(position.path("x").asInt() + position.path("w").asInt()).isLessThanOrEqualTo(24);
			assertThat(panel.path("title").asString()).isNotEmpty();
			if (!panel.path("type").asString().equals("row")) {
				assertThat(panel.path("targets")).isNotEmpty();
				assertThat(panel.path("datasource").path("uid").asString()).isEqualTo("${DS_PROMETHEUS}");
			}
		});
	}

	private static List<MatchResult> rows() {
		return ROW.matcher(PAGE).results().toList();
	}

	private static List<Meter> meters() {
		return application.bean(MeterRegistry.class)
			.getMeters()
			.stream()
			.filter((meter) -> meter.getId().getName().startsWith("outbox."))
			.toList();
	}

	private static Set<String> names(String cell) {
		return LIST.matcher(cell).results().map((name) -> name.group(1)).collect(Collectors.toCollection(TreeSet::new));
	}

	private static String type(Meter meter) {
		return switch (meter.getId().getType()) {
			case DISTRIBUTION_SUMMARY -> "summary";
			default -> meter.getId().getType().name().toLowerCase(Locale.ROOT).replace('_', ' ');
		};
	}

}
