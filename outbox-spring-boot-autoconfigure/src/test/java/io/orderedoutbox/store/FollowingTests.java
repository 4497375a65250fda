package io.orderedoutbox.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

import io.orderedoutbox.servers.RequiresMySql;
import io.orderedoutbox.testing.SqlLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

/**
 * A worker goes on with the keys that it has just had: with all that there is of them, in
 * their order, and not for ever.
 */
@Tag("order")
@Timeout(60)
class FollowingTests {

	// Ten of each key
	private static final int WINDOW = 40;

	private static final int KEYS = 4;

	private static final ClaimSettings SETTINGS = new ClaimSettings(true, 20, DataSize.ofMegabytes(1),
			Duration.ofSeconds(20));

	private final OutboxTables tables = new OutboxTables();

	// Not in the transaction of the thread
	private final OutboxDatabase database = new OutboxDatabase(new DelegatingDataSource(this.tables.writer()),
			"outbox_");

	private final SlowClock clock = new SlowClock();

	private final Following following = new Following(this.database, SETTINGS, this.clock);

	@AfterEach
	void close() {
		this.tables.close();
	}

	@Test
	@RequiresMySql
	void itIsTheSameKeysFurtherOn() {
		this.tables.fill(400, KEYS);
		Window window = window(0);
		complete(window, "filler-1", "filler-3");
		Window next = next();
		assertThat(next.start()).isZero();
		assertThat(next.whole()).isFalse();
		assertThat(next.rows()).extracting(Row::partitionKey).containsOnly("filler-1", "filler-3");
		assertThat(next.rows()).extracting(Row::id).isEqualTo(positions("filler-1", "filler-3", next.end()));
		assertThat(Candidate.heads(next.candidates())).containsExactly(42L, 44L);
	}

	@Test
	@RequiresMySql
	void whoHasAGoodPartOfAllMessagesReadsAllInPassing() {
		this.tables.fill(400, KEYS);
		complete(window(0), "filler-1", "filler-3");
		assertThat(nextBy("primary", "partition_key in (")).isNotNull();
	}

	@Test
	@RequiresMySql
	void whoHasFewOfAllMessagesFindsThemByTheirKeys() {
		this.tables.fill(400, 10);
		complete(window(0), "filler-1");
		Window next = nextBy("outbox_message_key", "partition_key in ('filler-1')");
		assertThat(next.rows()).extracting(Row::id)
			.hasSizeGreaterThan(10)
			.isEqualTo(positions("filler-1", "filler-1", next.end()));
	}

	@Test
	@RequiresMySql
	void alsoOfSeveralKeysInTheirOrder() {
		this.tables.fill(400, 20);
		this.tables.jdbc().sql("UPDATE outbox_message SET partition_key = 'filler-3' WHERE id = 1").update();
		complete(window(0), "filler-3", "filler-5");
		Window next = nextBy("outbox_message_key", "partition_key in (");
		assertThat(next.rows()).extracting(Row::id)
			.hasSizeGreaterThan(10)
			.isEqualTo(positions("filler-3", "filler-5", next.end()));
	}

	@Test
	@RequiresMySql
	void whoseKeysEndEarlyInAWideWindowDoesNotReadTheRestOfItInPassing() {
		this.tables.fill(WINDOW, KEYS);
		this.tables.fillWith(360, "other");
		complete(window(0, 400), "filler-1");
		nextBy("outbox_message_key", "partition_key in ('filler-1')");
	}

	@Test
	@RequiresMySql
	void whatIsCommittedBehindWhatWasSeenAndWithinTheWindowIsNotPassedOver() {
		this.tables.commit("a", "b", "a", "b");
		TransactionStatus late = this.tables.begin(TransactionDefinition.ISOLATION_REPEATABLE_READ);
		this.tables.append("a");
		this.tables.commit(Collections.nCopies(WINDOW - 4, "b").toArray(String[]::new));
		Window window = window(0);
		assertThat(window.rows()).extracting(Row::id).doesNotContain(5L);
		this.tables.commit(late);
		this.tables.fill(400, KEYS);
		this.tables.jdbc().sql("UPDATE outbox_message SET partition_key = 'a' WHERE id > ?").param(WINDOW + 1).update();
		complete(window, "a");
		Window next = next();
		assertThat(Candidate.heads(next.candidates())).containsExactly(5L);
	}

	@Test
	@RequiresMySql
	void afterAMarkItBeginsThereToo() {
		this.tables.fill(400, KEYS);
		Window window = window(9);
		complete(window, "filler-1", "filler-3");
		Window next = next();
		assertThat(next.start()).isEqualTo(9);
		assertThat(next.fromStart()).isFalse();
	}

	@Test
	@RequiresMySql
	void notMoreThanAFewTimesInARow() {
		this.tables.fill(4_000, KEYS);
		Window window = window(0);
		for (int i = 0; i < Following.MOST_IN_A_ROW; i++) {
			complete(window, "filler-1", "filler-3");
			window = next();
			assertThat(this.following.isFurther()).isTrue();
		}
		complete(window, "filler-1", "filler-3");
		assertThat(this.following.next()).isNull();
		assertThat(this.following.isFurther()).isFalse();
	}

	@Test
	@RequiresMySql
	void notForLong() {
		this.tables.fill(400, KEYS);
		Window window = window(0);
		complete(window, "filler-1", "filler-3");
		this.clock.pass(Duration.ofSeconds(2).toNanos());
		assertThat(this.following.next()).isNull();
	}

	@Test
	void whatIsLeftOfAWindowIsNext() {
		this.tables.fill(400, KEYS);
		halfComplete(window(0));
		assertThat(SqlLog.of(() -> assertThat(this.following.next()).isNotNull())).isEmpty();
	}

	@Test
	@RequiresMySql
	void afterASecondWhatIsLeftIsLookedForAgain() {
		this.tables.fill(400, KEYS);
		halfComplete(window(0));
		this.clock.pass(Duration.ofMillis(1_100).toNanos());
		assertThat(next().rows()).extracting(Row::partitionKey).containsOnly("filler-1", "filler-3");
		assertThat(this.following.isFurther()).isTrue();
	}

	private void halfComplete(Window window) {
		List<Candidate> claimed = claimed(window, "filler-1", "filler-3");
		complete(window, claimed,
				claimed.stream().flatMap((run) -> run.rows().stream().limit(5)).map(Row::id).toList());
	}

	@Test
	@RequiresMySql
	void aStalledMessageFarBehindDoesNotMakeItGoFar() {
		this.tables.fill(400, KEYS);
		this.tables.delay("id = 1");
		this.tables.jdbc().sql("UPDATE outbox_message SET id = id + 1000000 WHERE id > 1").update();
		Window window = window(0);
		complete(window, "filler-1", "filler-3");
		Window next = next();
		assertThat(next.end() - window.end()).isLessThan(2 * WINDOW);
	}

	@Test
	@RequiresMySql
	void aKeyThatHasItAllIsLeftToTheNextLook() {
		this.tables.fill(WINDOW + 8, KEYS);
		this.tables.fillWith(100, "filler-1");
		complete(window(0), "filler-1");
		assertThat(this.following.next()).isNull();
	}

	@Test
	@RequiresMySql
	void whatWasClaimedAndDidNotFitIsWhereItBegins() {
		this.tables.fill(400, KEYS);
		Window window = window(0);
		List<Candidate> claimed = window.candidates().subList(1, 3);
		List<Long> published = claimed.get(1).rows().stream().map(Row::id).toList();
		complete(window, claimed, published);
		Window next = next();
		assertThat(Candidate.heads(next.candidates())).containsExactlyInAnyOrder(2L, 23L);
	}

	@Test
	@RequiresMySql
	void whoHasManyKeysKeepsThemAll() {
		this.tables.fill(400, 10);
		String[] keys = IntStream.range(0, 8).mapToObj((key) -> "filler-" + key).toArray(String[]::new);
		complete(window(0), keys);
		List<Candidate> runs = next().candidates();
		assertThat(runs).extracting((run) -> run.head().partitionKey()).containsExactly(keys);
		assertThat(runs).extracting((run) -> run.rows().size()).containsExactly(3, 3, 3, 3, 2, 2, 2, 2);
	}

	@Test
	void alsoOfWhatIsLeftOfTheWindow() {
		this.tables.fill(WINDOW, 8);
		Window window = window(0);
		List<Long> published = List.of(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L);
		this.following.completed(window, window.candidates(), published);
		List<Candidate> runs = next().candidates();
		assertThat(runs).extracting((run) -> run.head().id()).containsExactly(9L, 10L, 11L, 12L, 13L, 14L, 15L, 16L);
		assertThat(runs).extracting((run) -> run.rows().size()).containsExactly(3, 3, 3, 3, 2, 2, 2, 2);
	}

	@Test
	void notWhereTheWindowShowedEverything() {
		this.tables.fill(WINDOW - 1, KEYS);
		complete(window(0), "filler-1", "filler-3");
		assertThat(this.following.next()).isNull();
	}

	@Test
	void notWhereEachKeyHasLittle() {
		this.tables.fill(400, WINDOW);
		complete(window(0), "filler-1", "filler-3", "filler-5");
		assertThat(this.following.next()).isNull();
	}

	private Window next() {
		Window next = this.following.next();
		assertThat(next).isNotNull();
		return next;
	}

	private Window nextBy(String index, String condition) {
		List<Window> next = new ArrayList<>();
		assertThat(SqlLog.of(() -> next.add(this.following.next()))).singleElement(STRING)
			.contains("force index (" + index + ")")
			.contains(condition);
		return next.get(0);
	}

	private Window window(long start) {
		return window(start, WINDOW);
	}

	private Window window(long start, int size) {
		List<Row> rows = this.database.rows(SETTINGS.lockTimeout(), this.database.statements().look, start,
				Long.MAX_VALUE, size);
		return Window.of(this.clock.getAsLong(), rows, start, size, (run) -> false, SETTINGS);
	}

	private void complete(Window window, String... keys) {
		List<Long> published = window.rows()
			.stream()
			.filter((row) -> List.of(keys).contains(row.partitionKey()))
			.map(Row::id)
			.toList();
		complete(window, claimed(window, keys), published);
	}

	private static List<Candidate> claimed(Window window, String... keys) {
		return window.candidates().stream().filter((run) -> List.of(keys).contains(run.head().partitionKey())).toList();
	}

	private void complete(Window window, List<Candidate> claimed, List<Long> published) {
		this.tables.jdbc().sql("DELETE FROM outbox_message WHERE id IN (:ids)").param("ids", published).update();
		this.following.completed(window, claimed, published);
	}

	private List<Long> positions(String one, String another, long last) {
		return this.tables.jdbc()
			.sql("SELECT id FROM outbox_message WHERE partition_key IN (?, ?) AND id <= ? ORDER BY id")
			.params(one, another, last)
			.query(Long.class)
			.list();
	}

}
