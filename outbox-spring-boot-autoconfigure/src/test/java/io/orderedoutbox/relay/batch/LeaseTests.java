/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay.batch;

import java.time.Duration;
import java.util.List;

import io.orderedoutbox.relay.ManualClock;
import io.orderedoutbox.relay.StandingClaim;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How long an answer of the store is worth something.
 */
@Tag("unit")
class LeaseTests {

	private static final Duration INTERVAL = Duration.ofMillis(100);

	private final ManualClock clock = new ManualClock();

	@Test
	void anAnswerIsAsOldAsItsQuestion() {
		SlowClaim claim = new SlowClaim(1, 10);
		Lease lease = new Lease(claim, INTERVAL, this.clock, this.clock.getAsLong());
		pass();
		assertThat(lease.isDue()).isTrue();
		assertThat(lease.stands()).isTrue();
		assertThat(claim.questions).as("a question whose answer took too long is asked again").isEqualTo(2);
		assertThat(lease.isDue()).isFalse();
	}

	@Test
	void aDatabaseThatIsAlwaysThatSlowIsAskedTwiceAndNoMore() {
		SlowClaim claim = new SlowClaim(10, 10);
		Lease lease = new Lease(claim, INTERVAL, this.clock, this.clock.getAsLong());
		pass();
		assertThat(lease.stands()).isTrue();
		assertThat(claim.questions).isEqualTo(2);
	}

	@Test
	void aClaimThatIsLostWhileItIsAskedForDoesNotStand() {
		SlowClaim claim = new SlowClaim(1, 1);
		Lease lease = new Lease(claim, INTERVAL, this.clock, this.clock.getAsLong());
		pass();
		assertThat(lease.stands()).isFalse();
		assertThat(lease.isLost()).isTrue();
	}

	@Test
	void aClaimThatIsLostIsNotAskedForAgain() {
		SlowClaim claim = new SlowClaim(0, 0);
		Lease lease = new Lease(claim, INTERVAL, this.clock, this.clock.getAsLong());
		pass();
		assertThat(lease.stands()).isFalse();
		pass();
		assertThat(lease.stands()).isFalse();
		assertThat(claim.questions).isOne();
	}

	private void pass() {
		this.clock.advance(INTERVAL.multipliedBy(2));
	}

	/**
	 * A claim of a process that is stopped while it asks, and that is lost after some
	 * questions.
	 */
	private final class SlowClaim extends StandingClaim {

		private final int slowQuestions;

		private final int lostAfter;

		private int questions;

		SlowClaim(int slowQuestions, int lostAfter) {
			super(List.of());
			this.slowQuestions = slowQuestions;
			this.lostAfter = lostAfter;
		}

		@Override
		public boolean renew() {
			this.questions++;
			if (this.questions <= this.slowQuestions) {
				pass();
			}
			return this.questions <= this.lostAfter;
		}

	}

}
