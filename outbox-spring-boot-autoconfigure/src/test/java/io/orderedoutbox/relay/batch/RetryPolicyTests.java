/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay.batch;

import java.time.Duration;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * How long a failure waits.
 */
@Tag("unit")
class RetryPolicyTests {

	@Test
	void eachWaitIsLongerByTheMultiplierUpToTheLongest() {
		RetryPolicy policy = policy(Duration.ofSeconds(1), 2, Duration.ofSeconds(10), 0);
		assertThat(IntStream.rangeClosed(1, 6).mapToObj(policy::delay)).containsExactly(Duration.ofSeconds(1),
				Duration.ofSeconds(2), Duration.ofSeconds(4), Duration.ofSeconds(8), Duration.ofSeconds(10),
				Duration.ofSeconds(10));
	}

	@Test
	void waitsStayTheSameWithMultiplierOne() {
		RetryPolicy policy = policy(Duration.ofMillis(300), 1, Duration.ofMinutes(1), 0);
		assertThat(IntStream.of(1, 2, 50).mapToObj(policy::delay)).containsOnly(Duration.ofMillis(300));
	}

	@Test
	void aMessageThatFailedCountlessTimesStillWaitsTheLongestTime() {
		RetryPolicy policy = policy(Duration.ofSeconds(1), 10, Duration.ofDays(1), 0);
		assertThat(policy.delay(Integer.MAX_VALUE)).isEqualTo(Duration.ofDays(1));
	}

	@Test
	void jitterSpreadsAWaitEvenlyAroundItselfAndNoFurther() {
		RetryPolicy policy = policy(Duration.ofSeconds(1), 2, Duration.ofSeconds(4), 0.5);
		assertThat(IntStream.range(0, 1000).mapToObj((i) -> policy.delay(5)))
			.allSatisfy((delay) -> assertThat(delay).isBetween(Duration.ofSeconds(2), Duration.ofSeconds(6)))
			.anySatisfy((delay) -> assertThat(delay).isLessThan(Duration.ofSeconds(3)))
			.anySatisfy((delay) -> assertThat(delay).isGreaterThan(Duration.ofSeconds(5)));
	}

	@Test
	void noWaitIsZero() {
		RetryPolicy policy = policy(Duration.ofMillis(1), 1, Duration.ofMillis(1), 1);
		assertThat(IntStream.range(0, 100).mapToObj((i) -> policy.delay(1)))
			.allMatch((delay) -> delay.compareTo(Duration.ZERO) > 0);
	}

	@Test
	void valuesThatMakeNoSenseAreRefusedByName() {
		Duration second = Duration.ofSeconds(1);
		assertThatIllegalArgumentException().isThrownBy(() -> policy(Duration.ZERO, 2, second, 0))
			.withMessageContaining("'initialInterval'");
		assertThatIllegalArgumentException().isThrownBy(() -> policy(second, 0.9, second, 0))
			.withMessageContaining("'multiplier'");
		assertThatIllegalArgumentException().isThrownBy(() -> policy(second, Double.NaN, second, 0))
			.withMessageContaining("'multiplier'");
		assertThatIllegalArgumentException().isThrownBy(() -> policy(second, 2, second.minusMillis(1), 0))
			.withMessageContaining("'maxInterval'");
		assertThatIllegalArgumentException().isThrownBy(() -> policy(second, 2, second, 1.1))
			.withMessageContaining("'jitter'");
		assertThatIllegalArgumentException().isThrownBy(() -> policy(second, 2, second, -0.1))
			.withMessageContaining("'jitter'");
	}

	private static RetryPolicy policy(Duration initial, double multiplier, Duration max, double jitter) {
		return new RetryPolicy(initial, multiplier, max, jitter);
	}

}
