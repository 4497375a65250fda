package io.orderedoutbox.store;

import java.util.List;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Positions and the stretches that they make.
 */
@Tag("unit")
class StretchTests {

	@Test
	void positionsWithoutAGapAreOneStretch() {
		assertThat(Stretch.of(List.of(3L, 1L, 2L))).containsExactly(new Stretch(1, 3));
	}

	@Test
	void aGapBeginsAnother() {
		assertThat(Stretch.of(List.of(7L, 1L, 2L, 5L))).containsExactly(new Stretch(1, 2), new Stretch(5, 5),
				new Stretch(7, 7));
	}

	@Test
	void aPositionGivenTwiceIsInOneStretch() {
		assertThat(Stretch.of(List.of(4L, 4L, 5L))).containsExactly(new Stretch(4, 5));
	}

	@Test
	void nothingHasNoStretches() {
		assertThat(Stretch.of(List.of())).isEmpty();
	}

	@Test
	void aStretchIsItsPositions() {
		Stretch stretch = new Stretch(5, 7);
		assertThat(stretch.length()).isEqualTo(3);
		assertThat(stretch.positions()).containsExactly(5L, 6L, 7L);
	}

}
