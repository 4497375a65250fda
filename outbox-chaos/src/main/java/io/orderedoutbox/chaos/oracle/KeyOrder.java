/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.oracle;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The order of one key. Three witnesses know it: the counter of the key if it has one,
 * the clock where one commit ended before another began, and the positions in the ledger.
 * The first two owe the outbox nothing.
 */
final class KeyOrder {

	private final String key;

	private final Map<Long, Long> commitEnded;

	private final Findings findings;

	private long nextVersion = 1;

	private @Nullable Position newest;

	private @Nullable Position latestCommit;

	KeyOrder(String key, Map<Long, Long> commitEnded, Findings findings) {
		this.key = key;
		this.commitEnded = commitEnded;
		this.findings = findings;
	}

	/**
	 * A message of the key has arrived for the first time.
	 */
	void arrived(Position position, long version) {
		String overtaking = overtaking(position, version);
		if (overtaking != null) {
			this.findings.add(Breach.OVERTAKEN, "key '%s': %s".formatted(this.key, overtaking));
		}
		if (version > 0) {
			this.nextVersion = version + 1;
		}
		if (this.newest == null || this.newest.index() < position.index()) {
			this.newest = position;
		}
		if (this.latestCommit == null || this.latestCommit.entry().commitBegan() < position.entry().commitBegan()) {
			this.latestCommit = position;
		}
	}

	private @Nullable String overtaking(Position position, long version) {
		if (this.newest != null && this.newest.index() > position.index()) {
			return "position %d arrived after %d".formatted(position.entry().id(), this.newest.entry().id());
		}
		if (version > 0 && version != this.nextVersion) {
			return "version %d arrived when %d was next".formatted(version, this.nextVersion);
		}
		Long ended = this.commitEnded.get(position.entry().transaction());
		if (this.latestCommit != null && ended != null && ended < this.latestCommit.entry().commitBegan()) {
			return "position %d arrived after %d, but its commit had ended before that one began"
				.formatted(position.entry().id(), this.latestCommit.entry().id());
		}
		return null;
	}

	/**
	 * How many messages of the key, at least, have arrived since this one should have for
	 * the first time.
	 */
	int distance(Position position) {
		return (this.newest != null) ? this.newest.index() - position.index() : 0;
	}

}
