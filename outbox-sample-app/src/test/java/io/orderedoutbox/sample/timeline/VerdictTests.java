/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.sample.timeline;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Verdict}.
 */
@Tag("unit")
class VerdictTests {

	@ParameterizedTest
	@CsvSource(textBlock = """
			1, 0, IN_ORDER
			5, 4, IN_ORDER
			2, 0, EARLY
			6, 4, EARLY
			4, 4, LATE
			1, 4, LATE
			""")
	void aFirstArrivalIsInOrderOnlyAfterItsPredecessor(long version, long highest, Verdict verdict) {
		assertThat(Verdict.of(version, highest, false, true)).isEqualTo(verdict);
	}

	@ParameterizedTest
	@CsvSource({ "1, 1", "1, 5", "3, 3" })
	void aRepetitionIsADuplicateWhereverItComes(long version, long highest) {
		assertThat(Verdict.of(version, highest, true, true)).isEqualTo(Verdict.DUPLICATE);
	}

	@Test
	void whatNobodyCommittedIsNeverInOrder() {
		assertThat(Verdict.of(1, 0, false, false)).isEqualTo(Verdict.UNCOMMITTED);
	}

	@ParameterizedTest
	@EnumSource(names = { "IN_ORDER", "DUPLICATE" }, mode = EnumSource.Mode.EXCLUDE)
	void everythingButInOrderAndDuplicatesIsAViolation(Verdict verdict) {
		assertThat(verdict.isViolation()).isTrue();
		assertThat(Verdict.IN_ORDER.isViolation()).isFalse();
		assertThat(Verdict.DUPLICATE.isViolation()).isFalse();
	}

}
