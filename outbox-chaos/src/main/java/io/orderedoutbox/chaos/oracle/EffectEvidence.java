/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.oracle;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.orderedoutbox.chaos.fault.FaultRecord;

import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Everything that is known of a run with consumers.
 *
 * @param published what is known of the way to the broker; nothing was recorded of what
 * arrived there
 * @param effects what the handlers did, by key and number
 * @param outcomes the deliveries that had no effect
 */
public record EffectEvidence(Evidence published, List<Effect> effects, List<Remark> outcomes) {

	/**
	 * Collect what is known.
	 * @param jdbc the database with ledger and effects
	 * @param directory where the processes left their traces
	 * @param faults what went wrong
	 * @return the evidence
	 * @throws IOException if a trace cannot be read
	 */
	public static EffectEvidence collect(JdbcClient jdbc, Path directory, List<FaultRecord> faults) throws IOException {
		return new EffectEvidence(Evidence.collect(jdbc, List.of(), directory, faults), effects(jdbc),
				Evidence.remarks(directory, "*.outcomes"));
	}

	private static List<Effect> effects(JdbcClient jdbc) {
		Map<String, String> keys = new HashMap<>();
		List<Effect> effects = jdbc.sql("""
				SELECT consumer, message_id, partition_key, version, number, seen, redelivered, at
				FROM chaos_effect""").query((row, index) -> {
			String key = row.getString("partition_key");
			return new Effect(row.getString("consumer"), UUID.fromString(row.getString("message_id")),
					keys.computeIfAbsent(key, (any) -> key), row.getLong("version"), row.getLong("number"),
					row.getLong("seen"), row.getBoolean("redelivered"), row.getLong("at"));
		}).list();
		return new ArrayList<>(effects);
	}

}
