package io.orderedoutbox.store;

import java.time.Duration;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Tours}, with a clock in the hands of the test.
 */
@Tag("unit")
class ToursTests {

	// Near the end of what fits, as it may be
	private long now = Long.MAX_VALUE - 1_000_000;

	private final Tours tours = new Tours(false, () -> this.now);

	private void pass(Duration time) {
		this.now += time.toNanos();
	}

	private void tour(Duration time, long unseen) {
		assertThat(this.tours.begin()).isTrue();
		pass(time);
		this.tours.end(unseen);
	}

	@Test
	void afterATourInVainAllRestFourTimesAsLong() {
		tour(Duration.ofMillis(100), 7);
		assertThat(this.tours.unseen()).isEqualTo(7);
		pass(Duration.ofMillis(399));
		assertThat(this.tours.isOpen()).isFalse();
		assertThat(this.tours.begin()).isFalse();
		pass(Duration.ofMillis(1));
		assertThat(this.tours.isOpen()).isTrue();
		assertThat(this.tours.begin()).isTrue();
	}

	@Test
	void nobodyRestsForLong() {
		tour(Duration.ofMinutes(1), 7);
		pass(Duration.ofSeconds(Tours.LONGEST_REST_SECONDS));
		assertThat(this.tours.begin()).isTrue();
	}

	@Test
	void afterATourThatWasNotInVainNobodyRests() {
		tour(Duration.ofMillis(100), 7);
		pass(Duration.ofSeconds(1));
		tour(Duration.ofMillis(100), 0);
		assertThat(this.tours.unseen()).isZero();
		assertThat(this.tours.begin()).isTrue();
	}

	@Test
	void oneGoesAtATime() {
		assertThat(this.tours.begin()).isTrue();
		assertThat(this.tours.isWanted()).isFalse();
		assertThat(this.tours.isOpen()).isFalse();
		assertThat(this.tours.begin()).isFalse();
		assertThat(this.tours.isWanted()).as("by somebody else").isTrue();
		this.tours.end(0);
		assertThat(this.tours.begin()).isTrue();
		assertThat(this.tours.isWanted()).isFalse();
	}

	@Test
	void nowAndThenCountsFromTheEnd() {
		assertThat(this.tours.beginNowAndThen()).isTrue();
		pass(Duration.ofSeconds(5));
		this.tours.end(0);
		pass(Duration.ofMillis(999));
		assertThat(this.tours.beginNowAndThen()).isFalse();
		pass(Duration.ofMillis(1));
		assertThat(this.tours.beginNowAndThen()).isTrue();
	}

	@Test
	void theRestlessNeverRestNorWaitForOneAnother() {
		Tours restless = new Tours(true, () -> this.now);
		assertThat(restless.begin()).isTrue();
		assertThat(restless.begin()).isTrue();
		pass(Duration.ofSeconds(1));
		restless.end(7);
		assertThat(restless.isOpen()).isTrue();
		assertThat(restless.begin()).isTrue();
		assertThat(restless.unseen()).isZero();
	}

}
