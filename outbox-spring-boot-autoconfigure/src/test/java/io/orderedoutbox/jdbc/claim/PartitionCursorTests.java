/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.claim;

import java.util.Map;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Where a cursor is.
 */
@Tag("unit")
class PartitionCursorTests {

	private static final String SERVER = "primary";

	private final PartitionCursor cursor = new PartitionCursor();

	@BeforeEach
	void begin() {
		this.cursor.begin(SERVER);
	}

	@Test
	void itBeginsAtTheStart() {
		assertThat(this.cursor.next(SERVER)).isZero();
	}

	@Test
	void itMovesWhereItIsTold() {
		moveTo(SERVER, 8);
		assertThat(this.cursor.next(SERVER)).isEqualTo(8);
		assertThat(this.cursor.begin(SERVER)).isEqualTo(8);
	}

	@Test
	void itGoesBackToTheStartWithTheNextClaim() {
		moveTo(SERVER, 8);
		this.cursor.restart();
		assertThat(this.cursor.next(SERVER)).isZero();
		assertThat(this.cursor.begin(SERVER)).isZero();
		moveTo(SERVER, 9);
		assertThat(this.cursor.next(SERVER)).isEqualTo(9);
	}

	@Test
	void aClaimThatBeganAtTheStartAndFailedLeavesItThere() {
		moveTo(SERVER, 8);
		this.cursor.restart();
		this.cursor.begin(SERVER);
		assertThat(this.cursor.begin(SERVER)).isZero();
	}

	@Test
	void aClaimThatBeganBeforeDoesNotKeepItFromGoingBack() {
		this.cursor.restart();
		moveTo(SERVER, 8);
		assertThat(this.cursor.next(SERVER)).isZero();
		assertThat(this.cursor.begin(SERVER)).isZero();
		assertThat(this.cursor.next(SERVER)).isZero();
	}

	@Test
	void onAnotherServerItBeginsAtTheStart() {
		moveTo(SERVER, 8);
		assertThat(this.cursor.next("replica")).isZero();
		assertThat(this.cursor.begin("replica")).isZero();
		moveTo("replica", 5);
		assertThat(this.cursor.next("replica")).isEqualTo(5);
		assertThat(this.cursor.next(SERVER)).isZero();
	}

	@Test
	void aSweepLooksFromTheStartOnceAndRemembersWhereItWas() {
		moveTo(SERVER, 8);
		this.cursor.sweep();
		assertThat(this.cursor.next(SERVER)).isEqualTo(8);
		assertThat(this.cursor.begin(SERVER)).isZero();
		assertThat(this.cursor.next(SERVER)).isEqualTo(8);
		assertThat(this.cursor.begin(SERVER)).isEqualTo(8);
	}

	@Test
	void itKnowsWhereToBeginInTheLanesThatWereReadLast() {
		this.cursor.moveTo(SERVER, 8, Map.of(-3L, 5L), false);
		assertThat(this.cursor.nextOfParked(-3)).isEqualTo(5);
		assertThat(this.cursor.nextOfParked(-4)).isEqualTo(4);
		this.cursor.begin("replica");
		assertThat(this.cursor.nextOfParked(-3)).isEqualTo(3);
	}

	private void moveTo(String server, long next) {
		this.cursor.moveTo(server, next, Map.of(), false);
	}

}
