package io.orderedoutbox.store;

import java.util.List;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Floors}.
 */
class FloorsTests {

	private long now = Long.MAX_VALUE;

	private final Floors floors = new Floors(() -> true, () -> this.now);

	@Test
	void nothingIsKnownAtFirst() {
		assertThat(this.floors.isHead(run("a", 5), 0)).isFalse();
	}

	@Test
	void theFirstRowOfAKeyIsItsFloor() {
		this.floors.seen(List.of(row("a", 5), row("b", 6), row("a", 7)), this.now);
		assertThat(this.floors.isHead(run("a", 5), 5)).isTrue();
		assertThat(this.floors.isHead(run("b", 6), 5)).isTrue();
		assertThat(this.floors.isHead(run("c", 8), 5)).isFalse();
	}

	@Test
	void aHeadThatWasVerifiedIsKnown() {
		this.floors.verified(List.of(run("a", 5)), this.now);
		assertThat(this.floors.isHead(run("a", 7), 5)).isTrue();
	}

	@Test
	void betweenTheFloorAndTheMarkThereMayBeOthers() {
		this.floors.seen(List.of(row("a", 5)), this.now);
		assertThat(this.floors.isHead(run("a", 9), 6)).isFalse();
		assertThat(this.floors.isHead(run("a", 9), 5)).isTrue();
	}

	@Test
	void theFloorRisesToTheNextRowThatWasSeen() {
		List<Row> rows = List.of(row("a", 1), row("b", 2), row("a", 3), row("b", 4), row("a", 5));
		this.floors.seen(rows, this.now);
		this.floors.gone(rows, List.of(1L, 3L), this.now);
		assertThat(this.floors.isHead(run("a", 5), 5)).isTrue();
		assertThat(this.floors.isHead(run("a", 5), 6)).isFalse();
		assertThat(this.floors.isHead(run("b", 2), 3)).as("b has not changed").isFalse();
	}

	@Test
	void theFloorRisesAboveTheLastRowThatWasSeen() {
		List<Row> rows = List.of(row("a", 1), row("b", 2), row("a", 3));
		this.floors.seen(rows, this.now);
		this.floors.gone(rows, List.of(1L, 3L), this.now);
		assertThat(this.floors.isHead(run("a", 9), 4)).isTrue();
		assertThat(this.floors.isHead(run("a", 9), 5)).isFalse();
	}

	// Where keys are pipelined
	@Test
	void aRowThatIsLeftBehindIsTheFloor() {
		List<Row> rows = List.of(row("a", 1), row("a", 2), row("a", 3));
		this.floors.seen(rows, this.now);
		this.floors.gone(rows, List.of(2L), this.now);
		assertThat(this.floors.isHead(run("a", 1), 1)).isTrue();
		assertThat(this.floors.isHead(run("a", 3), 2)).isFalse();
	}

	@Test
	void noFloorSinks() {
		this.floors.verified(List.of(run("a", 7)), this.now);
		this.floors.seen(List.of(row("a", 5)), this.now);
		assertThat(this.floors.isHead(run("a", 7), 7)).isTrue();
		this.floors.gone(List.of(row("a", 5)), List.of(5L), this.now);
		assertThat(this.floors.isHead(run("a", 7), 7)).isTrue();
	}

	@Test
	void whatWasNeverKnownHasNoFloorWhenItIsGone() {
		this.floors.verified(List.of(run("b", 2)), this.now);
		this.floors.gone(List.of(row("a", 1)), List.of(1L), this.now);
		assertThat(this.floors.isHead(run("a", 3), 1)).isFalse();
	}

	@Test
	void aRowBelowTheFloorOfItsKeyMakesAllForgotten() {
		this.floors.seen(List.of(row("a", 5), row("b", 6)), this.now);
		this.floors.check(List.of(run("b", 6), run("a", 7), run("c", 1)));
		assertThat(this.floors.isHead(run("b", 6), 1)).isTrue();
		this.floors.check(List.of(run("b", 6), run("a", 3)));
		assertThat(this.floors.isHead(run("b", 6), 1)).isFalse();
	}

	@Test
	void onAnotherServerNothingIsKnown() {
		this.floors.seen(List.of(row("a", 5)), this.now);
		this.floors.askedOn("one");
		this.floors.askedOn("one");
		assertThat(this.floors.isHead(run("a", 5), 1)).isTrue();
		this.floors.askedOn("another");
		assertThat(this.floors.isHead(run("a", 5), 1)).isFalse();
	}

	@Test
	void whatWasSeenOnAnotherServerIsNotLearntAfterwards() {
		this.floors.askedOn("one");
		long before = this.now++;
		assertThat(this.floors.isOutdated(before)).isFalse();
		this.floors.askedOn("another");
		assertThat(this.floors.isOutdated(before)).isTrue();
		this.floors.seen(List.of(row("a", 5)), before);
		assertThat(this.floors.isHead(run("a", 5), 1)).isFalse();
		this.floors.seen(List.of(row("a", 5)), this.now);
		assertThat(this.floors.isHead(run("a", 5), 1)).isTrue();
	}

	@Test
	void theFirstServerIsNotAnotherOne() {
		long before = this.now++;
		this.floors.askedOn("one");
		assertThat(this.floors.isOutdated(before)).isFalse();
	}

	@Test
	void whatIsBoundToNoOrderHasNoFloor() {
		this.floors.seen(List.of(row("", 5)), this.now);
		assertThat(this.floors.isHead(run("", 5), 1)).isFalse();
	}

	@Test
	void aKeyThatIsKnownMakesNobodyForgotten() {
		this.floors.seen(LongStream.rangeClosed(1, Floors.MOST).mapToObj((id) -> row("key-" + id, id)).toList(),
				this.now);
		this.floors.verified(List.of(run("key-1", 1)), this.now);
		assertThat(this.floors.isHead(run("key-2", 2), 1)).isTrue();
	}

	@Test
	void whereStatementsSeeTooLittleNothingIsKnown() {
		Floors none = new Floors(() -> false, () -> this.now);
		none.seen(List.of(row("a", 5)), this.now);
		none.verified(List.of(run("b", 6)), this.now);
		assertThat(none.isHead(run("a", 5), 0)).isFalse();
		assertThat(none.isHead(run("b", 6), 0)).isFalse();
	}

	@Test
	void thereIsAnEndToWhatIsRemembered() {
		this.floors.seen(LongStream.rangeClosed(1, Floors.MOST + 10).mapToObj((id) -> row("key-" + id, id)).toList(),
				this.now);
		long known = LongStream.rangeClosed(1, Floors.MOST + 10)
			.filter((id) -> this.floors.isHead(run("key-" + id, id), 0))
			.count();
		assertThat(known).isEqualTo(10);
	}

	private static Row row(String key, long id) {
		return new Row(id, key, 100, true);
	}

	private static Candidate run(String key, long head) {
		return new Candidate(List.of(row(key, head)));
	}

}
