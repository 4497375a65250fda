/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.fault;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

import io.orderedoutbox.chaos.process.Launch;
import io.orderedoutbox.chaos.process.RelayProcess;
import io.orderedoutbox.chaos.server.DatabaseWords;
import io.orderedoutbox.chaos.time.Waiting;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.util.Assert;

/**
 * Eight instances that start at the same time on an empty database, and all want to
 * create its tables.
 */
final class ManyInstances {

	private static final int INSTANCES = 8;

	private static final int PARTITIONS = 64;

	private static final Duration PATIENCE = Duration.ofMinutes(2);

	private static final Launch CREATING = new Launch(List.of("-Doutbox.jdbc.initialize-schema=always"), Map.of());

	private ManyInstances() {
	}

	static Fault fault() {
		return Mishap.of("eight instances start on an empty database", ManyInstances::start, Part.DATABASE,
				Part.BROKER);
	}

	private static void start(World world, Random random) {
		JdbcClient administrator = JdbcClient.create(world.servers().administration());
		String schema = "empty_" + Integer.toHexString(random.nextInt());
		administrator.sql(world.words().createSchema(schema)).update();
		List<RelayProcess> relays = new ArrayList<>();
		try {
			String url = DatabaseWords.urlOf(world.servers().jdbcUrl(), schema);
			for (int i = 1; i <= INSTANCES; i++) {
				relays.add(world.newRelay(schema + "-" + i, url));
			}
			relays.forEach((relay) -> relay.start(CREATING));
			Waiting.until("eight instances have started", PATIENCE, () -> allReady(relays));
			for (String table : List.of("outbox_partition", "outbox_stripe")) {
				int rows = JdbcClient.create(world.servers().administration(schema))
					.sql("SELECT COUNT(*) FROM " + table)
					.query(Integer.class)
					.single();
				Assert.state(rows == PARTITIONS, () -> "%s has %d rows".formatted(table, rows));
			}
			List<String> misdeeds = relays.stream().flatMap((relay) -> relay.misdeeds().stream()).toList();
			Assert.state(misdeeds.isEmpty(), misdeeds::toString);
		}
		finally {
			relays.forEach(RelayProcess::close);
			administrator.sql(world.words().dropSchema(schema)).update();
		}
	}

	private static boolean allReady(List<RelayProcess> relays) {
		relays.forEach((relay) -> Assert.state(relay.isAlive(), () -> relay.name() + " could not start: see its log"));
		return relays.stream().allMatch(RelayProcess::isReady);
	}

}
