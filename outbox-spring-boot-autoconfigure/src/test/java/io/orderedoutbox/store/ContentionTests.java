package io.orderedoutbox.store;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;

import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Colleagues rest while others have most of what there is, all but the last.
 */
class ContentionTests {

	private static final ClaimSettings SETTINGS = new ClaimSettings(true, 20, DataSize.ofMegabytes(1),
			Duration.ofSeconds(20));

	private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 5);

	private final Contention contention = new Contention(SETTINGS, false, this.clock::get);

	private final Claims one = () -> null;

	private final Claims another = () -> null;

	@Test
	void withoutItEverybodyMayWork() {
		assertThat(this.contention.isPresent()).isFalse();
		assertThat(this.contention.admits(this.one)).isTrue();
		assertThat(this.contention.admits(this.another)).isTrue();
	}

	@Test
	void onlyTheLastGoesOn() {
		this.contention.admits(this.one);
		this.contention.admits(this.another);
		findIt();
		assertThat(this.contention.admits(this.one)).isFalse();
		assertThat(this.contention.admits(this.another)).isTrue();
		assertThat(this.contention.admits(this.another)).isTrue();
		assertThat(this.contention.admits(this.one)).isFalse();
	}

	@Test
	void whoeverComesNextGoesOnWhenTheLastRests() {
		this.contention.admits(this.one);
		findIt();
		this.contention.rests(this.one);
		assertThat(this.contention.admits(this.another)).isTrue();
		assertThat(this.contention.admits(this.one)).isFalse();
	}

	@Test
	void itIsOverASecondAfterItWasLastFound() {
		this.contention.admits(this.one);
		findIt();
		this.clock.addAndGet(Contention.LASTS - 1);
		assertThat(this.contention.admits(this.another)).isFalse();
		this.clock.addAndGet(1);
		assertThat(this.contention.admits(this.another)).isTrue();
	}

	@Test
	void whoDoesNotComeBackForASecondKeepsNobodyBack() {
		this.contention.admits(this.one);
		this.clock.addAndGet(Contention.LASTS);
		findIt();
		assertThat(this.contention.admits(this.another)).isTrue();
		assertThat(this.contention.admits(this.one)).as("now it is the other").isFalse();
	}

	@Test
	void whoFindsNothingHearsOfWhoWasTurnedAway() {
		this.contention.admits(this.one);
		assertThat(this.contention.rests(this.one)).as("nobody was").isFalse();
		this.contention.admits(this.one);
		findIt();
		this.contention.admits(this.another);
		assertThat(this.contention.rests(this.another)).as("it works no longer").isFalse();
		assertThat(this.contention.rests(this.one)).isTrue();
		this.contention.admits(this.one);
		assertThat(this.contention.rests(this.one)).as("that was before its last claim").isFalse();
	}

	@Test
	void whereItWasNotEnoughAllWasTried() {
		List<Candidate> candidates = runs(5, 4);
		assertThat(found(candidates, candidates.subList(0, 1), true)).isTrue();
	}

	@Test
	void itIsFoundWhereMostOfWhatWasTriedIsInOtherHands() {
		List<Candidate> candidates = runs(5, 4);
		assertThat(found(candidates, candidates.subList(0, 3), true)).as("most of it is ours").isFalse();
		assertThat(found(candidates, candidates.subList(3, 5), true)).as("a little more is theirs").isTrue();
		assertThat(found(candidates, List.of(), true)).as("all of it is theirs").isTrue();
	}

	@Test
	void whatWasNotTriedIsInNobodysHands() {
		List<Candidate> candidates = runs(12, 4);
		assertThat(found(candidates, candidates.subList(0, 5), true)).isFalse();
	}

	@Test
	void itIsNotFoundWhereNobodyNeedsToBeKeptBack() {
		assertThat(found(runs(5, 4), List.of(), false)).as("all there is was shown").isFalse();
		assertThat(found(runs(2, 4), List.of(), true)).as("there was little to try").isFalse();
		assertThat(found(runs(10, 3), List.of(), true)).as("keys enough for everybody").isFalse();
		assertThat(found(runs(1, 20), List.of(), true)).as("a single key says nothing of others").isFalse();
		assertThat(this.contention.isPresent()).isFalse();
	}

	@Test
	void whoMustNotMissAnythingIsNotKeptBack() {
		Contention ignored = new Contention(SETTINGS, true, this.clock::get);
		assertThat(ignored.isFound(window(runs(5, 4), true), List.of())).isFalse();
		ignored.admits(this.one);
		assertThat(ignored.admits(this.another)).isTrue();
	}

	private void findIt() {
		assertThat(found(runs(5, 4), List.of(), true)).isTrue();
	}

	private boolean found(List<Candidate> candidates, List<Candidate> locked, boolean full) {
		return this.contention.isFound(window(candidates, full), locked);
	}

	private static Window window(List<Candidate> candidates, boolean full) {
		return new Window(0, List.of(), 0, 100, full, true, candidates);
	}

	private static List<Candidate> runs(int keys, int messages) {
		return IntStream.range(0, keys)
			.mapToObj((key) -> new Candidate(LongStream.range(0, messages)
				.mapToObj((message) -> new Row(key * 100L + message, "key-" + key, 100, true))
				.toList()))
			.toList();
	}

}
