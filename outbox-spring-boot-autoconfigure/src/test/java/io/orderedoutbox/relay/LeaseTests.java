package io.orderedoutbox.relay;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How long an answer of the store is worth something.
 */
@Tag("unit")
class LeaseTests {

	private static final Duration INTERVAL = Duration.ofMillis(100);

	@Test
	void anAnswerIsAsOldAsItsQuestion() throws Exception {
		SlowClaim claim = new SlowClaim(1, 10);
		Lease lease = new Lease(claim, INTERVAL);
		claim.pass();
		assertThat(lease.isDue()).isTrue();
		assertThat(lease.stands()).isTrue();
		assertThat(claim.questions).as("a question whose answer took too long is asked again").isEqualTo(2);
		assertThat(lease.isDue()).isFalse();
	}

	@Test
	void aClaimThatIsLostWhileItIsAskedForDoesNotStand() throws Exception {
		SlowClaim claim = new SlowClaim(1, 1);
		Lease lease = new Lease(claim, INTERVAL);
		claim.pass();
		assertThat(lease.stands()).isFalse();
		assertThat(lease.isLost()).isTrue();
	}

	/**
	 * A claim of a process that is stopped while it asks, and that is lost after some
	 * questions.
	 */
	private static final class SlowClaim extends StandingClaim {

		private final CountDownLatch never = new CountDownLatch(1);

		private final int slowQuestions;

		private final int lostAfter;

		private int questions;

		SlowClaim(int slowQuestions, int lostAfter) {
			super(List.of());
			this.slowQuestions = slowQuestions;
			this.lostAfter = lostAfter;
		}

		void pass() throws InterruptedException {
			assertThat(this.never.await(INTERVAL.toMillis() * 2, TimeUnit.MILLISECONDS)).isFalse();
		}

		@Override
		public boolean renew() {
			this.questions++;
			if (this.questions <= this.slowQuestions) {
				try {
					pass();
				}
				catch (InterruptedException ex) {
					throw new IllegalStateException(ex);
				}
			}
			return this.questions <= this.lostAfter;
		}

	}

}
