/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.oracle;

import java.time.Duration;
import java.util.List;
import java.util.Set;

import io.orderedoutbox.chaos.fault.FaultRecord;
import io.orderedoutbox.chaos.fault.Part;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("unit")
class TroublesTests {

	private final Troubles troubles = new Troubles(
			List.of(fault(300, 310), fault(100, 110), fault(105, 130), fault(107, 108)), Duration.ofNanos(5));

	private static FaultRecord fault(long began, long ended) {
		return new FaultRecord("fault", Set.of(Part.RELAY), began, ended, 0);
	}

	@Test
	void aMomentIsTroubledDuringAFaultAndInItsAftermath() {
		assertThat(this.troubles.between(99, 99)).isFalse();
		assertThat(this.troubles.between(100, 100)).isTrue();
		assertThat(this.troubles.between(120, 120)).isTrue();
		assertThat(this.troubles.between(135, 135)).isTrue();
		assertThat(this.troubles.between(136, 136)).isFalse();
		assertThat(this.troubles.between(316, 316)).isFalse();
	}

	@Test
	void aTimeIsTroubledWhenAFaultHappensInIt() {
		assertThat(this.troubles.between(0, 99)).isFalse();
		assertThat(this.troubles.between(0, 1000)).isTrue();
		assertThat(this.troubles.between(136, 299)).isFalse();
		assertThat(this.troubles.between(136, 301)).isTrue();
		assertThat(this.troubles.between(311, 2000)).isTrue();
	}

	@Test
	void onlyFaultsOfTheGivenPartsCount() {
		List<FaultRecord> faults = List.of(fault(100, 110));
		assertThat(Troubles.of(faults, Duration.ZERO, Part.RELAY, Part.BROKER).between(100, 110)).isTrue();
		assertThat(Troubles.of(faults, Duration.ZERO, Part.WRITER).between(100, 110)).isFalse();
	}

	@Test
	void nothingIsTroubledWithoutFaults() {
		assertThat(new Troubles(List.of(), Duration.ofSeconds(1)).between(0, Long.MAX_VALUE)).isFalse();
	}

}
