package io.orderedoutbox.store;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What colleagues have in their hands is not dealt out.
 */
@Tag("order")
@Timeout(60)
class DealerTests {

	private static final ClaimSettings SETTINGS = new ClaimSettings(true, 20, DataSize.ofMegabytes(1),
			Duration.ofSeconds(20));

	private static final ClaimSettings UNORDERED = new ClaimSettings(false, 20, DataSize.ofMegabytes(1),
			Duration.ofSeconds(20));

	private final OutboxTables tables = new OutboxTables();

	private Runnable afterLook = () -> {
	};

	// Between a look and what is done with it
	private final DataSource dataSource = OutboxTables.interrupted(this.tables.writer(), "close",
			() -> this.afterLook.run());

	private final SlowClock clock = new SlowClock();

	private final Scan scan = scan(SETTINGS);

	private final Dealer dealer = new Dealer(this.scan, SETTINGS);

	private final Scan unorderedScan = scan(UNORDERED);

	private final Dealer unorderedDealer = new Dealer(this.unorderedScan, UNORDERED);

	@AfterEach
	void close() {
		this.tables.close();
	}

	@Test
	void whatIsInTheHandsOfAColleague() {
		this.tables.fill(20, 4);
		assertThat(deal(this.dealer).candidates()).hasSize(4);
		assertThat(deal(this.dealer).candidates()).isEmpty();
	}

	@Test
	void whatIsCompletedDuringTheLook() {
		this.tables.fill(20, 4);
		Window portion = deal(this.dealer);
		this.afterLook = () -> this.dealer.release(portion.candidates());
		assertThat(deal(this.dealer).candidates()).isEmpty();
	}

	@Test
	void whatAColleagueGoesOnWithInsteadOfWhatIsLeftOfTheLook() {
		this.tables.fill(80, 8);
		this.scan.serve(2);
		Window first = deal(this.dealer);
		assertThat(first.candidates()).hasSize(4);
		Window all = this.scan.look((run) -> false);
		Window colleagues = this.dealer.portion(all.with(Candidate.without(all.candidates(), first.candidates())));
		assertThat(colleagues.candidates()).hasSize(4);
		Window left = deal(this.dealer);
		assertThat(left.candidates()).isEmpty();
		assertThat(left.whole()).as("it is worth another try").isFalse();
		this.dealer.release(colleagues.candidates());
		assertThat(deal(this.dealer).candidates()).as("which begins with a look").hasSize(4);
	}

	@Test
	void whatIsLeftOfALookForASecond() {
		this.tables.fill(160, 16);
		this.scan.serve(4);
		AtomicInteger looks = new AtomicInteger();
		this.afterLook = looks::incrementAndGet;
		assertThat(deal(this.dealer).candidates()).hasSize(4);
		int first = looks.get();
		assertThat(deal(this.dealer).candidates()).hasSize(4);
		assertThat(looks).hasValue(first);
		this.clock.pass(Duration.ofMillis(1_100).toNanos());
		assertThat(deal(this.dealer).candidates()).hasSize(4);
		assertThat(looks).hasValueGreaterThan(first);
	}

	@Test
	void whatCouldBeLocked() {
		this.tables.fill(20, 4);
		Window portion = deal(this.dealer);
		List<Candidate> locked = portion.candidates().subList(1, 2);
		this.dealer.settle(portion, locked);
		Window next = deal(this.dealer);
		assertThat(next.candidates()).isEqualTo(Candidate.without(portion.candidates(), locked));
	}

	@Test
	void whatWasGivenBackBeforeIsDealtOutAgain() {
		this.tables.fill(20, 4);
		Window portion = deal(this.dealer);
		this.dealer.release(portion.candidates());
		assertThat(deal(this.dealer).candidates()).hasSize(4);
	}

	@Test
	void whereNoOrderIsKeptWhatIsInSomebodysHandsIsNotLookedAtAgain() {
		this.tables.fill(200, 4);
		putOffFullLooks();
		for (long first = 1; first < 200; first += 20) {
			assertThat(dealtWithoutOrder()).isEqualTo(OutboxTables.positions(first, first + 19));
		}
		assertThat(deal(this.unorderedDealer).start()).as("once more before the end, to find what was left behind")
			.isZero();
	}

	@Test
	void whereNoOrderIsKeptTooLittleForAClaimIsLookedAtAgain() {
		this.tables.fill(200, 4);
		this.tables.delay("id BETWEEN 24 AND 40");
		putOffFullLooks();
		assertThat(dealtWithoutOrder()).isEqualTo(OutboxTables.positions(1, 20));
		Window next = deal(this.unorderedDealer);
		assertThat(next.start()).isEqualTo(21);
		assertThat(Candidate.heads(next.candidates())).startsWith(21L, 22L, 23L, 41L);
	}

	@Test
	void whereNoOrderIsKeptWhatWasGivenBackIsNext() {
		this.tables.fill(200, 4);
		putOffFullLooks();
		Window given = deal(this.unorderedDealer);
		dealtWithoutOrder();
		this.unorderedDealer.giveBack(given.candidates());
		assertThat(dealtWithoutOrder()).isEqualTo(OutboxTables.positions(1, 20));
		assertThat(dealtWithoutOrder()).isEqualTo(OutboxTables.positions(41, 60));
	}

	@Test
	void whereNoOrderIsKeptWhatNobodyHasTriedToLockIsNext() {
		this.tables.fill(400, 4);
		putOffFullLooks();
		this.unorderedDealer.settle(deal(this.unorderedDealer), List.of());
		this.unorderedDealer.settle(deal(this.unorderedDealer), List.of());
		Window larger = deal(this.unorderedDealer);
		assertThat(Candidate.heads(larger.candidates())).isEqualTo(OutboxTables.positions(41, 80));
		this.unorderedDealer.settle(larger, larger.candidates().subList(5, 25));
		assertThat(Candidate.heads(deal(this.unorderedDealer).candidates())).startsWith(66L);
	}

	@Test
	void whereNoOrderIsKeptWhatIsGivenBackDuringALookIsNext() {
		this.tables.fill(200, 4);
		putOffFullLooks();
		Window given = deal(this.unorderedDealer);
		dealtWithoutOrder();
		this.afterLook = () -> this.unorderedDealer.giveBack(given.candidates());
		assertThat(dealtWithoutOrder()).isEqualTo(OutboxTables.positions(41, 60));
		this.afterLook = () -> {
		};
		assertThat(dealtWithoutOrder()).as("left of the look").isEqualTo(OutboxTables.positions(61, 80));
		assertThat(dealtWithoutOrder()).isEqualTo(OutboxTables.positions(1, 20));
	}

	@Test
	void whereNoOrderIsKeptAndFullLooksAreInVainAWindowIsSeenUntilItIsGone() {
		this.tables.fill(200, 4);
		putOffFullLooks();
		OutboxTables.fullLooks(this.unorderedScan).brought(false);
		dealtWithoutOrder();
		dealtWithoutOrder();
		assertThat(deal(this.unorderedDealer).start()).isLessThanOrEqualTo(1);
	}

	@Test
	void whereNoOrderIsKeptWhatSomebodyElseHadIsDealtOutWhenThereIsNothingElse() {
		this.tables.fill(40, 4);
		putOffFullLooks();
		Window theirs = deal(this.unorderedDealer);
		this.unorderedDealer.settle(theirs, List.of());
		assertThat(dealtWithoutOrder()).isEqualTo(OutboxTables.positions(21, 40));
		assertThat(dealtWithoutOrder()).isEqualTo(OutboxTables.positions(1, 20));
	}

	@Test
	void whereNoOrderIsKeptWhatSomebodyElseHadIsDealtOutAfterTheNextFullLook() {
		this.tables.fill(400, 4);
		putOffFullLooks();
		Window theirs = deal(this.unorderedDealer);
		this.unorderedDealer.settle(theirs, List.of());
		assertThat(dealtWithoutOrder()).isEqualTo(OutboxTables.positions(21, 40));
		assertThat(dealtWithoutOrder()).startsWith(41L).doesNotContain(1L);
		// It was put off by an hour
		this.clock.pass(Duration.ofHours(2).toNanos());
		assertThat(dealtWithoutOrder()).startsWith(1L);
	}

	@Test
	void whoHasToWaitForAColleagueDoesSomethingBefore() throws InterruptedException {
		this.tables.fill(20, 4);
		CountDownLatch looking = new CountDownLatch(1);
		CountDownLatch done = new CountDownLatch(1);
		this.afterLook = () -> {
			looking.countDown();
			assertThat(isOver(done)).isTrue();
		};
		List<Candidate> dealt = new CopyOnWriteArrayList<>();
		Thread colleague = new Thread(() -> dealt.addAll(deal(this.dealer).candidates()));
		colleague.start();
		assertThat(isOver(looking)).isTrue();
		this.dealer.deal(done::countDown);
		colleague.join();
		assertThat(dealt).hasSize(4);
	}

	// From zero the first look would be one
	private void putOffFullLooks() {
		OutboxTables.keepMark(this.unorderedScan, 1);
	}

	private List<Long> dealtWithoutOrder() {
		return Candidate.heads(deal(this.unorderedDealer).candidates());
	}

	private Scan scan(ClaimSettings settings) {
		return new Scan(new OutboxDatabase(this.dataSource, "outbox_"), settings, false, this.clock);
	}

	private static boolean isOver(CountDownLatch latch) {
		try {
			return latch.await(20, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static Window deal(Dealer dealer) {
		return dealer.deal(() -> {
			throw new IllegalStateException("There is no colleague to wait for");
		});
	}

}
