package io.orderedoutbox.relay.recovery;

import java.time.Duration;

import io.orderedoutbox.store.Claim;
import io.orderedoutbox.store.Claims;
import io.orderedoutbox.store.SendingJournal;
import org.jspecify.annotations.Nullable;

/**
 * The claims of a worker, some of which are noted before they are sent: see
 * {@link CrashRecovery}.
 */
final class RecoveringClaims implements Claims {

	private final Claims claims;

	private final Suspects suspects;

	private final SendingJournal journal;

	RecoveringClaims(Claims claims, Suspects suspects, SendingJournal journal) {
		this.claims = claims;
		this.suspects = suspects;
		this.journal = journal;
	}

	@Override
	public @Nullable Claim next() {
		boolean recovering = this.suspects.read();
		Claim claim = this.claims.next();
		return (recovering && claim != null && this.suspects.concern(claim)) ? noted(claim) : claim;
	}

	private @Nullable Claim noted(Claim claim) {
		if (!this.suspects.awaitTurn()) {
			claim.close();
			return null;
		}
		NotedClaim noted = null;
		try {
			noted = NotedClaim.of(claim, this.suspects, this.journal);
			return noted;
		}
		finally {
			if (noted == null) {
				this.suspects.endTurn();
				claim.close();
			}
		}
	}

	@Override
	public Duration rest() {
		return this.claims.rest();
	}

	@Override
	public void end() {
		this.claims.end();
		this.suspects.leave();
	}

}
