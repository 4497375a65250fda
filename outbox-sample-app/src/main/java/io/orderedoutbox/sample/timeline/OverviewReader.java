/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.sample.timeline;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Counts, in one statement so that the numbers belong together.
 */
@Component
public class OverviewReader {

	// Counting a table of millions each second is no way to look at it
	private static final int DEEPEST = 10_000;

	private static final String COUNT = """
			SELECT
			  (SELECT COUNT(*) FROM (SELECT 1 FROM outbox_message LIMIT %d) AS waiting) AS depth,
			  (SELECT COUNT(*) FROM orders) AS orders,
			  (SELECT COUNT(*) FROM committed_event) AS committed,
			  COUNT(CASE WHEN verdict IN ('IN_ORDER', 'EARLY', 'LATE') THEN 1 END) AS arrived,
			  COUNT(CASE WHEN verdict = 'DUPLICATE' THEN 1 END) AS duplicates,
			  COUNT(CASE WHEN verdict IN ('EARLY', 'LATE', 'UNCOMMITTED') THEN 1 END) AS violations,
			  COUNT(DISTINCT CASE WHEN verdict IN ('EARLY', 'LATE', 'UNCOMMITTED') THEN order_id END) AS out_of_order
			FROM arrived_event
			""".formatted(DEEPEST + 1);

	private final JdbcClient jdbc;

	OverviewReader(JdbcClient jdbc) {
		this.jdbc = jdbc;
	}

	/**
	 * Count everything.
	 * @return the overview
	 */
	public Overview read() {
		return this.jdbc.sql(COUNT)
			.query((row, number) -> new Overview(Math.min(row.getLong("depth"), DEEPEST),
					row.getLong("depth") > DEEPEST, row.getLong("orders"), row.getLong("out_of_order"),
					row.getLong("committed"), row.getLong("arrived"), row.getLong("duplicates"),
					row.getLong("violations")))
			.single();
	}

}
