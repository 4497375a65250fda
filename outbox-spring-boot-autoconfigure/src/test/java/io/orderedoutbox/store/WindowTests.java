package io.orderedoutbox.store;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is dealt out of a window, and what follows it.
 */
@Tag("unit")
class WindowTests {

	private static final List<Row> ROWS = List.of(row(1, "a"), row(2, ""), row(3, "b"), row(4, "a"), row(5, "c"),
			row(6, "a"), row(7, "b"));

	@Test
	void whatFollowsIsOfTheSameKeysAndBeginsWithTheirNewHeads() {
		Window portion = window(true).portion(4);
		assertThat(Candidate.heads(portion.candidates())).containsExactly(1L, 2L);
		Window after = portion.after(List.of(1L, 2L, 4L), settings(true));
		assertThat(Candidate.heads(after.candidates())).containsExactly(6L);
		assertThat(after.whole()).isFalse();
	}

	@Test
	void nothingFollowsInUnorderedMode() {
		Window portion = window(false).portion(2);
		assertThat(Candidate.heads(portion.candidates())).containsExactly(1L, 2L);
		assertThat(portion.after(List.of(1L, 2L), settings(false)).candidates()).isEmpty();
	}

	private static Window window(boolean ordered) {
		return Window.of(System.nanoTime(), ROWS, 0, ROWS.size(), (run) -> false, settings(ordered));
	}

	private static ClaimSettings settings(boolean ordered) {
		return new ClaimSettings(ordered, 100, DataSize.ofMegabytes(1), Duration.ofSeconds(20));
	}

	private static Row row(long id, String key) {
		return new Row(id, key, 1, true);
	}

}
