package io.orderedoutbox.benchmark;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("unit")
class LatenciesTests {

	@Test
	void aPartWasDoneWithinTheTimeOfItsLast() {
		Latencies latencies = new Latencies(100);
		for (int number = 0; number < 100; number++) {
			latencies.note(number, (100 - number) * 1_000_000L);
		}
		assertThat(latencies.millis(0.5)).isEqualTo(50);
		assertThat(latencies.millis(0.99)).isEqualTo(99);
		assertThat(latencies.millis(1)).isEqualTo(100);
	}

	@Test
	void oneSlowOneInAHundredIsBeyondThe99thPercentileOnlyIfThereIsNoOther() {
		Latencies latencies = new Latencies(100);
		latencies.note(3, 7_000_000);
		assertThat(latencies.millis(0.99)).isZero();
		latencies.note(4, 8_000_000);
		assertThat(latencies.millis(0.99)).isEqualTo(7);
	}

}
