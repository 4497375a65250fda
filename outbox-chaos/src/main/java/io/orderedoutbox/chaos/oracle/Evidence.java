/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.oracle;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.orderedoutbox.chaos.fault.FaultRecord;

import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Everything that is known of a run.
 *
 * @param ledger what was committed, by position
 * @param commits what the writers know of it
 * @param arrivals what arrived, in the order of the broker
 * @param attempts the attempts that relays counted
 * @param refusals the transactions of writers that failed
 * @param faults what went wrong
 */
public record Evidence(List<LedgerEntry> ledger, List<Commit> commits, List<Arrival> arrivals, List<Remark> attempts,
		List<Remark> refusals, List<FaultRecord> faults) {

	private static final int PAGE = 50_000;

	private static final int COMMIT_BYTES = 20;

	/**
	 * Collect what is known.
	 * @param jdbc the database with the ledger
	 * @param recorder what arrived
	 * @param directory where the processes left their traces
	 * @param faults what went wrong
	 * @return the evidence
	 * @throws IOException if a trace cannot be read
	 */
	public static Evidence collect(JdbcClient jdbc, Recording recorder, Path directory, List<FaultRecord> faults)
			throws IOException {
		return collect(jdbc, recorder.arrivals(), directory, faults);
	}

	static Evidence collect(JdbcClient jdbc, List<Arrival> arrivals, Path directory, List<FaultRecord> faults)
			throws IOException {
		return new Evidence(ledger(jdbc), commits(directory), arrivals, remarks(directory, "*.attempts"),
				remarks(directory, "*.refusals"), List.copyOf(faults));
	}

	private static List<LedgerEntry> ledger(JdbcClient jdbc) {
		List<LedgerEntry> ledger = new ArrayList<>();
		Map<String, String> keys = new HashMap<>();
		List<LedgerEntry> page;
		do {
			long last = ledger.isEmpty() ? 0 : ledger.get(ledger.size() - 1).id();
			page = jdbc.sql("""
					SELECT id, message_id, partition_key, tx, commit_began FROM chaos_ledger
					WHERE id > ? ORDER BY id LIMIT ?""").params(last, PAGE).query((row, number) -> {
				String key = row.getString("partition_key");
				return new LedgerEntry(row.getLong("id"), UUID.fromString(row.getString("message_id")),
						keys.computeIfAbsent(key, (any) -> key), row.getLong("tx"), row.getLong("commit_began"));
			}).list();
			ledger.addAll(page);
		}
		while (!page.isEmpty());
		return ledger;
	}

	// The last entry of a process that was killed may be half written
	private static List<Commit> commits(Path directory) throws IOException {
		List<Commit> commits = new ArrayList<>();
		try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*.commits")) {
			for (Path file : files) {
				byte[] bytes = Files.readAllBytes(file);
				ByteBuffer entries = ByteBuffer.wrap(bytes);
				while (entries.remaining() >= COMMIT_BYTES) {
					commits.add(new Commit(entries.getLong(), entries.getLong(), entries.getInt()));
				}
			}
		}
		return commits;
	}

	static List<Remark> remarks(Path directory, String pattern) throws IOException {
		List<Remark> remarks = new ArrayList<>();
		try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, pattern)) {
			for (Path file : files) {
				for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
					int tab = line.indexOf('\t');
					if (tab > 0) {
						remarks.add(new Remark(Long.parseLong(line.substring(0, tab)), line.substring(tab + 1)));
					}
				}
			}
		}
		return remarks;
	}

}
