package io.orderedoutbox.store;

import java.time.Duration;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("unit")
class FullLooksTests {

	private static final long START = -5;

	private final FullLooks looks = new FullLooks(START);

	@Test
	void theFirstIsDueAtOnce() {
		assertThat(this.looks.isDue(START)).isTrue();
	}

	@Test
	void aQuickOneIsDueAfterAQuarterOfASecond() {
		looked(Duration.ofMillis(3));
		assertThat(isDueAfter(Duration.ofMillis(249))).isFalse();
		assertThat(isDueAfter(Duration.ofMillis(250))).isTrue();
	}

	@Test
	void oneThatTakesLongIsRarer() {
		looked(Duration.ofMillis(400));
		assertThat(isDueAfter(Duration.ofMillis(3_999))).isFalse();
		assertThat(isDueAfter(Duration.ofSeconds(4))).isTrue();
		looked(Duration.ofMillis(20));
		assertThat(isDueAfter(Duration.ofMillis(250))).isTrue();
	}

	@Test
	void howeverLongItTakesItIsDueAfterTenSeconds() {
		looked(Duration.ofMinutes(1));
		assertThat(isDueAfter(Duration.ofSeconds(9))).isFalse();
		assertThat(isDueAfter(Duration.ofSeconds(10))).isTrue();
	}

	@Test
	void oneThatBringsLittleIsRarerUntilOneBringsEnough() {
		looked(Duration.ZERO);
		for (int i = 0; i < 5; i++) {
			this.looks.brought(false);
		}
		assertThat(isDueAfter(Duration.ofMillis(3_999))).isFalse();
		assertThat(isDueAfter(Duration.ofSeconds(4))).isTrue();
		this.looks.brought(true);
		assertThat(isDueAfter(Duration.ofMillis(250))).isTrue();
	}

	// Each ends at START
	private void looked(Duration took) {
		this.looks.looked(START - took.toNanos(), START);
	}

	private boolean isDueAfter(Duration time) {
		return this.looks.isDue(START + time.toNanos());
	}

}
