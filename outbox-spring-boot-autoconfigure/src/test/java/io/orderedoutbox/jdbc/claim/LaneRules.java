/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.claim;

import java.util.List;
import java.util.stream.Stream;

import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * What is true of lanes and parked keys after every commit.
 */
final class LaneRules {

	private static final List<String> BROKEN = List.of("""
			SELECT 'no key has the lane', m.lane FROM outbox_message m LEFT JOIN outbox_parked k
			ON k.lane = m.lane AND k.partition_key = m.partition_key WHERE m.lane < 0 AND k.lane IS NULL""", """
			SELECT 'retried at another time than its first key: partition', p.id FROM outbox_partition p
			LEFT JOIN (SELECT partition_id, MIN(available_at) AS first FROM outbox_parked GROUP BY partition_id) k
			ON k.partition_id = p.id WHERE (p.retry_at IS NULL) <> (k.first IS NULL) OR p.retry_at <> k.first""");

	private static final List<String> BROKEN_WHERE_ORDERED = List.of("""
			SELECT 'a key has several lanes', partition_key FROM outbox_parked WHERE partition_key <> ''
			GROUP BY partition_key HAVING COUNT(*) > 1""", """
			SELECT 'the lane holds no beginning of its key', k.lane FROM outbox_parked k
			JOIN outbox_message p ON p.lane = k.lane JOIN outbox_message h ON h.lane = k.partition_id
			AND h.partition_key = k.partition_key AND h.id < p.id WHERE k.partition_key <> ''""");

	private LaneRules() {
	}

	/**
	 * What is not as it must be.
	 */
	static List<String> broken(JdbcClient jdbc, boolean ordered) {
		return Stream.concat(BROKEN.stream(), ordered ? BROKEN_WHERE_ORDERED.stream() : Stream.of())
			.flatMap((query) -> jdbc.sql(query + " LIMIT 5")
				.query((row, index) -> row.getString(1) + " " + row.getString(2))
				.list()
				.stream())
			.toList();
	}

}
