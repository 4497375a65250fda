package io.orderedoutbox.jdbc.claim;

import java.util.List;
import java.util.Map;

import io.orderedoutbox.jdbc.OutboxTables;
import io.orderedoutbox.jdbc.claim.PartitionCursor.Seen;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a cursor remembers.
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
		assertThat(this.cursor.hasWaiting()).isFalse();
		assertThat(this.cursor.first(10)).isEmpty();
	}

	@Test
	void itMovesToWhatWasSeenAndNotBack() {
		settle(8, Map.of(), Map.of());
		assertThat(this.cursor.next(SERVER)).isEqualTo(8);
		settle(5, Map.of(), Map.of());
		assertThat(this.cursor.next(SERVER)).isEqualTo(8);
	}

	@Test
	void whatWasSeenAndIsStillThereWaits() {
		settle(8, Map.of(), Map.of("a", List.of(3L, 5L), "b", List.of(4L)));
		assertThat(this.cursor.hasWaiting()).isTrue();
		assertThat(this.cursor.first(10)).containsOnly(Map.entry("a", List.of(3L, 5L)), Map.entry("b", List.of(4L)));
	}

	@Test
	void whatWasReadAndIsNoLongerThereWaitsNoLonger() {
		settle(8, Map.of(), Map.of("a", List.of(3L, 5L), "b", List.of(4L)));
		settle(8, Map.of("a", List.of(3L, 5L), "b", List.of(4L)), Map.of("a", List.of(5L)));
		assertThat(this.cursor.first(10)).containsOnly(Map.entry("a", List.of(5L)));
		settle(8, Map.of("a", List.of(5L)), Map.of());
		assertThat(this.cursor.hasWaiting()).isFalse();
	}

	@Test
	void ofEachKeyTheFirstAreNext() {
		settle(100, Map.of(), Map.of("hot", OutboxTables.positions(1, 90), "b", List.of(91L, 92L)));
		Map<String, List<Long>> first = this.cursor.first(10);
		assertThat(first).containsOnly(Map.entry("hot", OutboxTables.positions(1, 5)),
				Map.entry("b", List.of(91L, 92L)));
	}

	@Test
	void noMoreAreNextThanWereAskedForAndEachKeyHasItsTurn() {
		settle(10, Map.of(), Map.of("a", List.of(1L, 2L), "b", List.of(3L, 4L), "c", List.of(5L, 6L)));
		Map<String, List<Long>> first = this.cursor.first(2);
		assertThat(first).hasSize(2).allSatisfy((key, positions) -> assertThat(positions).hasSize(1));
		settle(10, first, first);
		assertThat(this.cursor.first(2).keySet()).hasSize(2).isNotEqualTo(first.keySet());
	}

	@Test
	void aKeyThatWaitsIsKnownToBeBehindAPosition() {
		settle(10, Map.of(), Map.of("a", List.of(3L, 5L)));
		assertThat(this.cursor.isWaitingBehind("a", 2)).isTrue();
		assertThat(this.cursor.isWaitingBehind("a", 3)).isTrue();
		assertThat(this.cursor.isWaitingBehind("a", 5)).isFalse();
		assertThat(this.cursor.isWaitingBehind("b", 2)).isFalse();
	}

	@Test
	void thereIsAnEndToWhatItRemembers() {
		int room = this.cursor.room();
		assertThat(room).isPositive();
		settle(room, Map.of(), Map.of("a", OutboxTables.positions(1, room - 1)));
		assertThat(this.cursor.room()).isEqualTo(1);
		settle(room + 200, Map.of(), Map.of("a", OutboxTables.positions(room, room + 100)));
		assertThat(this.cursor.room()).isZero();
	}

	@Test
	void itGoesBackToTheStartWithTheNextClaim() {
		settle(8, Map.of(), Map.of("a", List.of(3L)));
		this.cursor.restart();
		assertThat(this.cursor.next(SERVER)).isZero();
		this.cursor.begin(SERVER);
		assertThat(this.cursor.next(SERVER)).isZero();
		assertThat(this.cursor.hasWaiting()).isFalse();
		assertThat(this.cursor.isWaitingBehind("a", 0)).isFalse();
		settle(4, Map.of(), Map.of());
		assertThat(this.cursor.next(SERVER)).isEqualTo(4);
	}

	@Test
	void aClaimThatBeganBeforeDoesNotKeepItFromGoingBack() {
		this.cursor.restart();
		settle(8, Map.of(), Map.of("a", List.of(3L)));
		assertThat(this.cursor.next(SERVER)).isZero();
		this.cursor.begin(SERVER);
		assertThat(this.cursor.next(SERVER)).isZero();
		assertThat(this.cursor.hasWaiting()).isFalse();
	}

	@Test
	void onAnotherServerItBeginsAtTheStart() {
		settle(8, Map.of(), Map.of("a", List.of(3L)));
		assertThat(this.cursor.next("replica")).isZero();
		assertThat(this.cursor.begin("replica")).isZero();
		assertThat(this.cursor.hasWaiting()).isFalse();
		this.cursor.advance(new Seen("replica", 5), Map.of(), Map.of(), Map.of());
		assertThat(this.cursor.next("replica")).isEqualTo(5);
		assertThat(this.cursor.next(SERVER)).isZero();
	}

	@Test
	void aKeyIsReadAtThePaceAtWhichItIsSent() {
		settle(2_000, Map.of(), Map.of("hot", OutboxTables.positions(1, 1_000)));
		Map<String, List<Long>> first = this.cursor.first(1_000);
		int slow = first.get("hot").size();
		this.cursor.advance(new Seen(SERVER, 2_000), first, Map.of(), Map.of("hot", slow));
		assertThat(this.cursor.first(1_000).get("hot")).hasSize(2 * slow);
	}

	private void settle(long seenTo, Map<String, List<Long>> read, Map<String, List<Long>> left) {
		this.cursor.advance(new Seen(SERVER, seenTo), read, left, Map.of());
	}

}
