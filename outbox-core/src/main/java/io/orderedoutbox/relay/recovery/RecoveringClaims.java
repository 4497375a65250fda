/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay.recovery;

import java.time.Duration;

import io.orderedoutbox.store.Claim;
import io.orderedoutbox.store.Claims;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;

/**
 * The claims of a worker, some of which are noted before they are sent: see
 * {@link CrashRecovery}.
 */
final class RecoveringClaims implements Claims {

	private final Claims claims;

	private final SendingNote note;

	private final Runnable onEnd;

	RecoveringClaims(Claims claims, SendingNote note, Runnable onEnd) {
		this.claims = claims;
		this.note = note;
		this.onEnd = onEnd;
	}

	@Override
	public @Nullable Claim next() {
		boolean recovering = this.note.isNeeded();
		Claim claim = this.claims.next();
		if (!recovering || claim == null) {
			return claim;
		}
		NotedClaim noted = new NotedClaim(claim, this.note);
		boolean done = false;
		try {
			Claim next = prepared(claim, noted);
			done = next != null;
			return next;
		}
		finally {
			if (!done) {
				noted.close();
			}
		}
	}

	private @Nullable Claim prepared(Claim claim, NotedClaim noted) {
		try {
			if (!this.note.prepare(noted)) {
				return claim;
			}
		}
		catch (DataAccessException ex) {
			this.note.giveUp(ex);
			return claim;
		}
		if (noted.sequences().isEmpty()) {
			// The partitions are free while the worker waits
			noted.close();
			this.note.awaitTurn();
			return null;
		}
		return noted;
	}

	@Override
	public Duration rest() {
		return this.claims.rest();
	}

	@Override
	public void end() {
		this.claims.end();
		this.onEnd.run();
	}

}
