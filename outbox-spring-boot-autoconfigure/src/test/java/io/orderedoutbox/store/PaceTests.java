package io.orderedoutbox.store;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Pace}.
 */
class PaceTests {

	private final Pace pace = new Pace(3, 0);

	private long now;

	@Test
	void looksAreQuickThatTakeLittleOfTheTimeBetweenThem() {
		look(100, 20);
		look(100, 20);
		assertThat(this.pace.isQuick()).isFalse(); // two are not enough to know
		for (int i = 0; i < 8; i++) {
			look(100, 20);
		}
		assertThat(this.pace.isQuick()).isTrue();
	}

	@Test
	void aLookIsQuickAlsoIfAnotherWorkerHasJustLooked() {
		for (int i = 0; i < 20; i++) {
			look(180, 20);
			look(20, 20);
			if (i > 8) {
				assertThat(this.pace.isQuick()).isTrue();
			}
		}
	}

	@Test
	void aLookThatTakesLongForOnceIsNotQuick() {
		for (int i = 0; i < 20; i++) {
			look(100, 20);
		}
		look(100, 60);
		assertThat(this.pace.isQuick()).isFalse();
		look(100, 20);
		assertThat(this.pace.isQuick()).isTrue();
	}

	@Test
	void looksThatTakeMuchOfTheTimeAreNotQuick() {
		for (int i = 0; i < 20; i++) {
			look(100, 40);
		}
		assertThat(this.pace.isQuick()).isFalse();
	}

	@Test
	void slowLooksAreNotQuickForLongBecauseThereWasNothingToLookFor() {
		for (int i = 0; i < 20; i++) {
			look(200, 180);
		}
		look(600_000, 180);
		look(200, 180);
		assertThat(this.pace.isQuick()).isFalse();
	}

	@Test
	void toLookAgainIsNoTimeBetweenLooks() {
		for (int i = 0; i < 20; i++) {
			this.pace.lookedAgain(this.now, this.now + 40);
			look(80, 20);
		}
		assertThat(this.pace.isQuick()).isFalse();
	}

	private void look(long afterTheLast, long duration) {
		this.now += afterTheLast;
		this.pace.looked(this.now - duration, this.now);
	}

}
