/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.claim;

import java.time.Duration;
import java.util.Set;
import java.util.function.LongSupplier;

import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.store.Claims;
import io.orderedoutbox.store.RelayStore;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * {@link RelayStore} in which a claim is the row locks of some partitions: see
 * {@link PartitionClaims}. Its claims share what this instance knows: which partitions
 * may have something to send, and where a claim begins to read each of them.
 */
public final class JdbcRelayStore implements RelayStore {

	private final OutboxDatabase database;

	private final ClaimSettings settings;

	private final LongSupplier clock;

	private final PartitionBoard board;

	private volatile @Nullable ClaimStatements statements;

	/**
	 * Create a store.
	 * @param database the database of the outbox
	 * @param settings how much a claim takes
	 */
	public JdbcRelayStore(OutboxDatabase database, ClaimSettings settings) {
		this(database, settings, System::nanoTime);
	}

	JdbcRelayStore(OutboxDatabase database, ClaimSettings settings, LongSupplier clock) {
		Assert.isTrue(settings.lockTimeout().compareTo(Duration.ofSeconds(1)) >= 0,
				"'lockTimeout' must be at least one second");
		// A PayloadSource and a transformer work on the thread of the claim
		this.database = database.apart();
		this.settings = settings;
		this.clock = clock;
		this.board = new PartitionBoard(database.partitions().count(), settings.pollInterval(), clock);
	}

	@Override
	public Claims claims() {
		this.board.join();
		return new PartitionClaims(this);
	}

	@Override
	public void committed(Set<Integer> partitions) {
		this.board.committed(partitions);
	}

	@Override
	public void refresh() {
		this.board.restart();
	}

	OutboxDatabase database() {
		return this.database;
	}

	ClaimSettings settings() {
		return this.settings;
	}

	LongSupplier clock() {
		return this.clock;
	}

	PartitionBoard board() {
		return this.board;
	}

	// Not before the first claim: the database is asked what it speaks
	ClaimStatements statements() {
		ClaimStatements known = this.statements;
		if (known == null) {
			known = new ClaimStatements(this.database, this.settings);
			this.statements = known;
		}
		return known;
	}

}
