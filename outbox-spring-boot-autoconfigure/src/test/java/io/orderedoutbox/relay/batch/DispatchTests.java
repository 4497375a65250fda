/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay.batch;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.LongStream;

import io.orderedoutbox.Destination;
import io.orderedoutbox.relay.ManualClock;
import io.orderedoutbox.relay.StandingClaim;
import io.orderedoutbox.relay.batch.FailurePolicy.OnExhausted;
import io.orderedoutbox.send.ChannelRefusedException;
import io.orderedoutbox.send.FailureReason;
import io.orderedoutbox.send.MessageSender;
import io.orderedoutbox.send.Outcome;
import io.orderedoutbox.send.SendingChannel;
import io.orderedoutbox.send.TransportException;
import io.orderedoutbox.store.Defect;
import io.orderedoutbox.store.FailedMessage;
import io.orderedoutbox.store.FailedMessage.Fate;
import io.orderedoutbox.store.KeySequence;
import io.orderedoutbox.store.Message;
import io.orderedoutbox.store.StoredMessage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * What no broker does on demand: being silent about one message, or about all of them in
 * the middle of a batch.
 */
@Tag("unit")
@Timeout(30)
class DispatchTests {

	private static final Duration CONFIRM_TIMEOUT = Duration.ofMillis(200);

	private static final RetryPolicy BACK_OFF = new RetryPolicy(Duration.ofSeconds(1), 2, Duration.ofMinutes(1), 0);

	private static final Duration BATCH_TIME = Duration.ofMillis(250);

	private static final Duration RENEW_INTERVAL = Duration.ofMillis(125);

	private final ManualClock clock = new ManualClock();

	private final Script broker = new Script(this.clock);

	private final CircuitBreakers breakers = new CircuitBreakers(BACK_OFF, this.clock);

	private int suspensions;

	private boolean stopping;

	private boolean pipelined;

	@Test
	void ofEachKeyOneMessageIsInFlightAtATime() {
		Dispatch dispatch = dispatch(sequence(1, 2, 3), sequence(11, 12));
		send(dispatch);
		assertThat(dispatch.results().published()).containsExactlyInAnyOrder(1L, 2L, 3L, 11L, 12L);
		assertThat(this.broker.sent).startsWith(1L, 11L);
		assertThat(this.broker.greatestInFlight).isEqualTo(2);
	}

	@Test
	void nothingBehindAFailedMessageLeaves() {
		this.broker.refused.add(2L);
		Dispatch dispatch = dispatch(sequence(1, 2, 3), sequence(11, 12));
		send(dispatch);
		assertThat(dispatch.results().published()).containsExactlyInAnyOrder(1L, 11L, 12L);
		assertThat(failed(dispatch)).containsExactly(2L);
		assertThat(this.broker.sent).doesNotContain(3L);
	}

	@Test
	void aMessageThatIsSilentWhileLaterOnesAreConfirmedHasFailed() {
		this.broker.silent.add(1L);
		Dispatch dispatch = dispatch(sequence(1, 2), sequence(11, 12), sequence(21));
		send(dispatch);
		assertThat(dispatch.results().published()).containsExactlyInAnyOrder(11L, 12L, 21L);
		assertThat(failed(dispatch)).containsExactly(1L);
		assertThat(dispatch.outage()).isNull();
	}

	@Test
	void aBrokerThatConfirmsNothingIsAnOutage() {
		this.broker.silent.addAll(List.of(1L, 11L));
		Dispatch dispatch = dispatch(sequence(1), sequence(11));
		send(dispatch);
		assertThat(dispatch.results().published()).isEmpty();
		assertThat(failed(dispatch)).isEmpty();
		assertThat(dispatch.outage()).hasMessageContaining("no confirm");
	}

	@Test
	void aBrokerThatFallsSilentInTheMiddleOfABatchIsAnOutage() {
		this.broker.silent.addAll(List.of(2L, 12L));
		Dispatch dispatch = dispatch(sequence(1, 2), sequence(11, 12));
		send(dispatch);
		assertThat(dispatch.results().published()).containsExactlyInAnyOrder(1L, 11L);
		assertThat(failed(dispatch)).isEmpty();
		assertThat(dispatch.outage()).hasMessageContaining("no confirm");
	}

	@Test
	void theMessageThatClosesTheChannelIsFoundAndItsNeighboursAreSpared() {
		this.broker.closing.add(11L);
		Dispatch dispatch = dispatch(sequence(1, 2), sequence(11, 12), sequence(21, 22));
		send(dispatch);
		assertThat(dispatch.results().published()).containsExactlyInAnyOrder(1L, 2L, 21L, 22L);
		assertThat(failed(dispatch)).containsExactly(11L);
	}

	@Test
	void severalMessagesThatCloseTheChannelAreAllFound() {
		this.broker.closing.addAll(List.of(1L, 11L, 22L));
		Dispatch dispatch = dispatch(sequence(1, 2), sequence(11, 12), sequence(21, 22));
		send(dispatch);
		assertThat(dispatch.results().published()).containsExactly(21L);
		assertThat(failed(dispatch)).containsExactlyInAnyOrder(1L, 11L, 22L);
	}

	@Test
	void aBatchIsSuspendedWhileTheBrokerIsSilentAboutAll() {
		this.broker.silent.add(1L);
		Dispatch dispatch = patient(sequence(1, 2));
		send(dispatch);
		assertThat(this.suspensions).isOne();
		assertThat(this.broker.sent).containsExactly(1L);
		assertThat(dispatch.isClaimLost()).isFalse();
		assertThat(dispatch.outage()).hasMessageContaining("no confirm");
	}

	@Test
	void aBatchIsNotSuspendedWhileTheBrokerIsKnownToBeSlow() {
		this.broker.latency = CONFIRM_TIMEOUT.dividedBy(3);
		Dispatch first = patient(sequence(1));
		send(first);
		assertThat(this.suspensions).as("not known yet").isOne();
		Dispatch next = patient(sequence(2));
		send(next);
		assertThat(this.suspensions).isOne();
		assertThat(next.results().published()).containsExactly(2L);
	}

	// They may go elsewhere
	@Test
	void manyQuickAnswersDoNotMakeASlowDestinationSilent() {
		this.broker.latency = CONFIRM_TIMEOUT.dividedBy(3);
		send(patient(sequence(1)));
		this.broker.latency = Duration.ZERO;
		send(patient(sequence(LongStream.rangeClosed(11, 60).toArray())));
		this.broker.latency = CONFIRM_TIMEOUT.dividedBy(3);
		send(patient(sequence(2)));
		assertThat(this.suspensions).as("only the first").isOne();
	}

	@Test
	void aBrokerThatAlwaysTakesMostOfTheTimeoutIsSlow() {
		this.broker.latency = Duration.ofSeconds(12);
		WorkerSettings settings = brief(100, Duration.ofSeconds(15));
		for (long id = 1; id <= 3; id++) {
			Dispatch dispatch = new Dispatch(new ScriptedClaim(List.of(sequence(id))), settings, this.breakers,
					() -> this.stopping, this.clock, this.clock.getAsLong());
			send(dispatch);
			assertThat(dispatch.results().published()).containsExactly(id);
		}
		assertThat(this.suspensions).as("only the first").isOne();
	}

	@Test
	void aBrokerThatWasSlowOnceIsSilentSomeTimeLater() {
		this.broker.latency = CONFIRM_TIMEOUT.dividedBy(3);
		send(patient(sequence(1)));
		this.clock.advance(Duration.ofMinutes(1));
		this.broker.silent.add(2L);
		send(patient(sequence(2)));
		assertThat(this.suspensions).isEqualTo(2);
	}

	// A process that stood still has seen answers after an hour
	@Test
	void aBrokerIsSilentAtTheLatestWhenTheNextAnswerIsOverdue() {
		this.breakers.answers()
			.answered(this.clock.getAsLong() - Duration.ofHours(1).toNanos(), CONFIRM_TIMEOUT.toNanos());
		this.broker.silent.add(1L);
		Dispatch dispatch = patient(sequence(1));
		send(dispatch);
		assertThat(dispatch.outage()).isNotNull();
		this.clock.advance(Duration.ofMinutes(1));
		send(patient(sequence(1)));
		assertThat(this.suspensions).isOne();
	}

	@Test
	void aBatchIsNotSuspendedWhileTheBrokerAnswersAnotherWorker() {
		this.broker.silent.add(1L);
		this.breakers.answers().answered(this.clock.getAsLong() + Duration.ofDays(1).toNanos(), 0);
		Dispatch dispatch = patient(sequence(1, 2));
		send(dispatch);
		assertThat(this.suspensions).isZero();
		assertThat(failed(dispatch)).containsExactly(1L);
	}

	@Test
	void aStoreThatCannotSuspendABatchIsHeardOfAtItsEnd() {
		this.broker.silent.add(1L);
		Dispatch dispatch = patient(sequence(1, 2));
		assertThatIllegalStateException().isThrownBy(() -> dispatch.through(this.broker, () -> {
			throw new IllegalStateException("on purpose");
		})).withMessage("on purpose");
		assertThat(this.broker.sent).containsExactly(1L);
	}

	@Test
	void afterTheClaimIsLostNothingMoreIsSent() {
		ScriptedClaim claim = new ScriptedClaim(List.of(sequence(1, 2, 3)));
		claim.lost = true;
		Dispatch dispatch = new Dispatch(claim, settings(Duration.ZERO), this.breakers, () -> this.stopping, this.clock,
				this.clock.getAsLong());
		send(dispatch);
		assertThat(dispatch.isClaimLost()).isTrue();
		assertThat(this.broker.sent).isEmpty();
	}

	@Test
	void whenToldToStopItWaitsForWhatIsInFlightAndSendsNothingMore() {
		this.broker.onSend = (id) -> this.stopping = true;
		Dispatch dispatch = dispatch(sequence(1, 2), sequence(11));
		send(dispatch);
		assertThat(this.broker.sent).containsExactly(1L);
		assertThat(dispatch.results().published()).containsExactly(1L);
	}

	@Test
	void asManyKeysAreInFlightAsAllowedAndNoMore() {
		WorkerSettings three = settings(Duration.ofMinutes(1), 3);
		Dispatch dispatch = new Dispatch(
				new ScriptedClaim(List.of(sequence(1, 2), sequence(11), sequence(21), sequence(31), sequence(41, 42))),
				three, this.breakers, () -> this.stopping, this.clock, this.clock.getAsLong());
		send(dispatch);
		assertThat(this.broker.greatestInFlight).isEqualTo(3);
		assertThat(dispatch.results().published()).containsExactlyInAnyOrder(1L, 2L, 11L, 21L, 31L, 41L, 42L);
	}

	@Test
	void whatWasConfirmedBeforeTheBrokerWasLostIsPublishedAndTheRestUnknown() {
		this.broker.losing.add(2L);
		Dispatch dispatch = dispatch(sequence(1, 2, 3), sequence(11));
		send(dispatch);
		assertThat(dispatch.results().published()).containsExactlyInAnyOrder(1L, 11L);
		assertThat(failed(dispatch)).isEmpty();
		assertThat(dispatch.outage()).hasMessage("lost");
		assertThat(this.broker.sent).doesNotContain(3L);
	}

	@Test
	void afterTheChannelWasClosedMessagesAreSentAgainOneAtATimeInTheirOrder() {
		this.broker.closing.add(21L);
		Dispatch dispatch = dispatch(sequence(1, 2), sequence(11), sequence(21, 22));
		send(dispatch);
		assertThat(this.broker.sent).startsWith(1L, 11L, 21L, 1L, 11L, 21L).doesNotContain(22L);
		assertThat(this.broker.greatestInFlightAfterClose).isEqualTo(1);
		assertThat(dispatch.results().published()).containsExactlyInAnyOrder(1L, 2L, 11L);
	}

	@Test
	void aDamagedMessageFailsWithoutBeingSentAndEndsItsSequence() {
		KeySequence damaged = new KeySequence(List.of(message(1), damaged(2), message(3)));
		Dispatch dispatch = dispatch(damaged, sequence(11));
		send(dispatch);
		assertThat(this.broker.sent).containsExactlyInAnyOrder(1L, 11L);
		assertThat(dispatch.results().published()).containsExactlyInAnyOrder(1L, 11L);
		assertThat(failed(dispatch)).containsExactly(2L);
	}

	@Test
	void aClaimLostOnTheWayEndsEverySequenceOnceWhatIsInFlightIsSettled() {
		ScriptedClaim claim = new ScriptedClaim(List.of(sequence(1, 2), sequence(11, 12)));
		this.broker.onSend = (id) -> claim.lost = id == 11L;
		Dispatch dispatch = new Dispatch(claim, settings(Duration.ZERO), this.breakers, () -> this.stopping, this.clock,
				this.clock.getAsLong());
		send(dispatch);
		assertThat(dispatch.isClaimLost()).isTrue();
		assertThat(this.broker.sent).containsExactly(1L, 11L);
	}

	@Test
	void aClaimThatWasLostBeforeTheFirstMessageSendsNothing() {
		ScriptedClaim claim = new ScriptedClaim(List.of(sequence(1)));
		claim.lost = true;
		WorkerSettings settings = settings(Duration.ofMinutes(1));
		long askedAt = this.clock.getAsLong() - settings.renewInterval().toNanos() - 1;
		Dispatch dispatch = new Dispatch(claim, settings, this.breakers, () -> this.stopping, this.clock, askedAt);
		send(dispatch);
		assertThat(dispatch.isClaimLost()).isTrue();
		assertThat(this.broker.sent).isEmpty();
	}

	@Test
	void aMessageThatTheSenderCannotHandleHasFailed() {
		this.broker.onSend = (id) -> {
			if (id == 2L) {
				throw new IllegalArgumentException("no such thing");
			}
		};
		Dispatch dispatch = dispatch(sequence(1, 2, 3), sequence(11));
		send(dispatch);
		assertThat(dispatch.results().published()).containsExactlyInAnyOrder(1L, 11L);
		assertThat(failed(dispatch)).containsExactly(2L);
		assertThat(dispatch.results().failed()).extracting(FailedMessage::error)
			.containsExactly("java.lang.IllegalArgumentException: no such thing");
	}

	@Test
	void anExchangeThatClosesTheChannelThreeTimesIsPausedAndItsMessagesSpendNoAttempt() {
		List<KeySequence> sequences = new ArrayList<>();
		for (long id = 1; id <= 40; id++) {
			sequences.add(new KeySequence(List.of(message(id, (id % 2 == 0) ? "missing" : "good"))));
			if (id % 2 == 0) {
				this.broker.closing.add(id);
			}
		}
		Dispatch dispatch = new Dispatch(new ScriptedClaim(sequences), settings(Duration.ofMinutes(1)), this.breakers,
				() -> this.stopping, this.clock, this.clock.getAsLong());
		send(dispatch);
		assertThat(dispatch.results().published()).hasSize(20).allMatch((id) -> id % 2 == 1);
		assertThat(failed(dispatch)).hasSize(3);
		assertThat(fates(dispatch, Fate.POSTPONED)).hasSize(17);
		assertThat(dispatch.results().failed()).filteredOn((failure) -> failure.fate() == Fate.POSTPONED)
			.allMatch((failure) -> failure.error().contains("closed") && !failure.delay().isNegative());
	}

	@Test
	void whatGoesToAnExchangeThatHasClosedTheChannelIsSentLastAndAloneButForTheFirst() {
		this.breakers.refused(message(99, "odd"), "closed");
		this.breakers.refused(message(98, "strange"), "closed");
		Dispatch dispatch = new Dispatch(
				new ScriptedClaim(List.of(sequence(11, 12), new KeySequence(List.of(message(1, "odd"))),
						new KeySequence(List.of(message(2, "strange"))), sequence(21, 22))),
				settings(Duration.ofMinutes(1)), this.breakers, () -> this.stopping, this.clock,
				this.clock.getAsLong());
		this.broker.onSend = (id) -> this.broker.sentBeside.put(id, this.broker.inFlight);
		send(dispatch);
		assertThat(this.broker.sent).startsWith(1L).endsWith(2L);
		assertThat(this.broker.sentBeside).containsEntry(1L, 1).containsEntry(11L, 1).containsEntry(21L, 2);
		assertThat(this.broker.sentBeside).containsEntry(2L, 1);
		assertThat(this.breakers.isSuspect(message(3, "odd"))).isFalse();
	}

	@Test
	void aSuspicionIsPutToTheTestHoweverLongTheOthersTake() {
		this.broker.latency = Duration.ofMillis(20);
		this.breakers.refused(message(99, "odd"), "closed");
		Dispatch dispatch = brief(100, longSequence(1000, 500), new KeySequence(List.of(message(1, "odd"))));
		send(dispatch);
		assertThat(dispatch.results().published()).contains(1L).doesNotContain(1499L);
	}

	@Test
	void aSuspectThatTheBrokerIsSilentAboutHoldsTheOthersForAMomentOnly() {
		this.broker.silent.add(1L);
		this.breakers.refused(message(99, "odd"), "closed");
		Dispatch dispatch = brief(100, new KeySequence(List.of(message(1, "odd"))), sequence(11, 12), sequence(21));
		send(dispatch);
		assertThat(this.broker.sent).startsWith(1L);
		assertThat(dispatch.results().published()).containsExactlyInAnyOrder(11L, 12L, 21L);
		assertThat(failed(dispatch)).containsExactly(1L);
		assertThat(dispatch.outage()).isNull();
	}

	@Test
	void theTimeOfTheBatchBeginsAfterTheTestOfASuspect() {
		this.broker.latency = BATCH_TIME.dividedBy(5);
		this.breakers.refused(message(99, "odd"), "closed");
		ScriptedClaim claim = new ScriptedClaim(
				List.of(new KeySequence(List.of(message(1, "odd"))), sequence(11), sequence(21)));
		claim.others = true;
		Dispatch dispatch = new Dispatch(claim, brief(100, Duration.ofSeconds(5)), this.breakers, () -> this.stopping,
				this.clock, this.clock.getAsLong());
		send(dispatch);
		assertThat(dispatch.results().published()).containsExactlyInAnyOrder(1L, 11L, 21L);
	}

	// The channel was not closed
	@Test
	void aSuspectThatTheBrokerDoesNotTakeEndsTheSuspicionOfItsExchange() {
		this.broker.refused.add(1L);
		this.breakers.refused(message(99, "odd"), "closed");
		Dispatch dispatch = dispatch(new KeySequence(List.of(message(1, "odd"))),
				new KeySequence(List.of(message(2, "odd"))));
		send(dispatch);
		assertThat(failed(dispatch)).containsExactly(1L);
		assertThat(dispatch.results().published()).containsExactly(2L);
		assertThat(this.breakers.isSuspect(message(3, "odd"))).isFalse();
	}

	@Test
	void aSuspectThatClosesTheChannelAfterItsTestIsFound() {
		this.broker.latency = BATCH_TIME.dividedBy(5);
		this.broker.closing.add(1L);
		this.breakers.refused(message(99, "odd"), "closed");
		Dispatch dispatch = brief(100, new KeySequence(List.of(message(1, "odd"))), sequence(11), sequence(21));
		send(dispatch);
		assertThat(dispatch.results().published()).containsExactlyInAnyOrder(11L, 21L);
		assertThat(failed(dispatch)).containsExactly(1L);
	}

	// Its batch time is longer than the broker may take
	@Test
	void theTestOfASuspectEndsBeforeTheBrokerHasTakenTooLong() {
		this.broker.silent.add(1L);
		this.breakers.refused(message(99, "odd"), "closed");
		Dispatch dispatch = dispatch(new KeySequence(List.of(message(1, "odd"))), sequence(11));
		send(dispatch);
		assertThat(dispatch.results().published()).containsExactly(11L);
		assertThat(dispatch.outage()).isNull();
	}

	@Test
	void aSuspectThatTheBrokerIsSilentAboutDoesNotHoldOtherSuspects() {
		this.broker.silent.add(1L);
		this.breakers.refused(message(99, "odd"), "closed");
		this.breakers.refused(message(98, "strange"), "closed");
		Dispatch dispatch = brief(100, new KeySequence(List.of(message(1, "odd"))),
				new KeySequence(List.of(message(2, "strange"))), new KeySequence(List.of(message(3, "strange"))));
		send(dispatch);
		assertThat(dispatch.results().published()).containsExactlyInAnyOrder(2L, 3L);
		assertThat(failed(dispatch)).containsExactly(1L);
	}

	@Test
	void aMessageInDoubtThatTheBrokerIsSilentAboutDoesNotStopTheSearch() {
		this.broker.silent.add(1L);
		this.broker.closing.add(11L);
		Dispatch dispatch = brief(100, sequence(1), sequence(11), sequence(21, 22));
		send(dispatch);
		assertThat(dispatch.results().published()).containsExactlyInAnyOrder(21L, 22L);
		assertThat(failed(dispatch)).containsExactlyInAnyOrder(1L, 11L);
		assertThat(dispatch.outage()).isNull();
	}

	// Each of them seems to be silent for a moment
	@Test
	void theCulpritIsFoundAlthoughTheBrokerIsSlow() {
		this.broker.latency = BATCH_TIME.dividedBy(4);
		this.broker.closing.add(11L);
		Dispatch dispatch = brief(100, sequence(1), sequence(11), sequence(21));
		send(dispatch);
		assertThat(dispatch.results().published()).containsExactlyInAnyOrder(1L, 21L);
		assertThat(failed(dispatch)).containsExactly(11L);
	}

	@Test
	void whatIsHeldGoesOnAlsoIfAnotherWorkerWasAnswered() {
		List<KeySequence> sequences = silentBefore(3);
		Dispatch dispatch = brief(100, sequences.toArray(KeySequence[]::new));
		this.broker.onSend = (id) -> this.breakers.reached(to(new Destination("", "elsewhere"), 50));
		send(dispatch);
		assertThat(dispatch.results().published()).containsExactlyInAnyOrder(1L, 2L, 3L);
	}

	@Test
	void whatIsHeldGoesOnAlsoIfTheChannelIsClosed() {
		List<KeySequence> sequences = silentBefore(3);
		sequences.add(sequence(11));
		this.broker.closing.add(11L);
		this.broker.latency = Duration.ofMillis(1);
		Dispatch dispatch = brief(100, sequences.toArray(KeySequence[]::new));
		send(dispatch);
		assertThat(dispatch.results().published()).containsExactlyInAnyOrder(1L, 2L, 3L);
		assertThat(failed(dispatch)).containsExactly(11L);
	}

	@Test
	void whatASenderFindsOutByItselfDoesNotEndASuspicion() {
		this.broker.refusedBySender.add(1L);
		this.breakers.refused(message(99, "odd"), "closed");
		send(dispatch(new KeySequence(List.of(message(1, "odd")))));
		assertThat(this.breakers.isSuspect(message(3, "odd"))).isTrue();
	}

	// The oldest is overdue, this one is not yet
	@Test
	void aMessageThatIsAnsweredInTimeIsNotPassedOver() {
		this.broker.silent.add(1L);
		this.broker.onSend = (id) -> {
			this.clock.advance((id == 2) ? Duration.ofMillis(240) : Duration.ZERO);
			this.broker.latency = (id == 2) ? Duration.ofMillis(4_800) : Duration.ZERO;
		};
		Dispatch dispatch = brief(100, sequence(1), sequence(2), sequence(3), sequence(4));
		send(dispatch);
		assertThat(dispatch.results().published()).containsExactlyInAnyOrder(2L, 3L, 4L);
		assertThat(failed(dispatch)).containsExactly(1L);
	}

	@Test
	void manyDestinationsThatAreSilentAreFoundTogether() {
		this.broker.onSend = (id) -> this.clock.advance(Duration.ofMillis(1));
		List<KeySequence> sequences = new ArrayList<>();
		for (long id = 1; id <= 90; id++) {
			this.broker.silent.add(id);
			sequences.add(new KeySequence(List.of(to(new Destination("", "silent-" + id), id))));
		}
		sequences.add(sequence(101, 102, 103));
		Dispatch dispatch = brief(100, sequences.toArray(KeySequence[]::new));
		send(dispatch);
		assertThat(failed(dispatch)).hasSize(90);
		assertThat(dispatch.results().published()).containsExactly(101L, 102L, 103L);
	}

	@Test
	void toADestinationThatWasSilentOneMessageLeavesUntilItIsAnswered() {
		List<KeySequence> sequences = silentBefore(150);
		sequences.add(sequence(201, 202));
		this.broker.silent.addAll(LongStream.rangeClosed(1, 150).boxed().toList());
		Dispatch dispatch = brief(100, sequences.toArray(KeySequence[]::new));
		send(dispatch);
		assertThat(this.broker.sent).containsExactly(1L, 201L, 202L);
		assertThat(dispatch.results().published()).containsExactly(201L, 202L);
		assertThat(failed(dispatch)).containsExactly(1L);
		assertThat(this.breakers.pauseOf(to(new Destination("", "elsewhere"), 2))).isNotNull();
	}

	@Test
	void toADestinationThatWasSilentAllMessagesLeaveWhenOneIsAnswered() {
		List<KeySequence> sequences = silentBefore(50);
		Dispatch dispatch = brief(100, sequences.toArray(KeySequence[]::new));
		this.broker.onSend = (id) -> this.broker.sentBeside.put(id, this.broker.inFlight);
		send(dispatch);
		assertThat(dispatch.results().published()).hasSize(50);
		assertThat(this.broker.sentBeside).containsEntry(1L, 1).containsEntry(2L, 1).containsEntry(50L, 49);
	}

	private List<KeySequence> silentBefore(int messages) {
		Destination elsewhere = new Destination("", "elsewhere");
		this.breakers.silent(to(elsewhere, 999), "no confirm");
		this.clock.advance(Duration.ofSeconds(1));
		List<KeySequence> sequences = new ArrayList<>();
		for (long id = 1; id <= messages; id++) {
			sequences.add(new KeySequence(List.of(to(elsewhere, id))));
		}
		return sequences;
	}

	@Test
	void aDestinationThatIsSilentIsPausedAndItsNeighboursOnTheSameExchangeAreNot() {
		this.broker.silent.add(1L);
		send(dispatch(sequence(1), new KeySequence(List.of(to(new Destination("", "elsewhere"), 11)))));
		KeySequence silentAgain = new KeySequence(List.of(message(2)));
		KeySequence neighbour = new KeySequence(List.of(to(new Destination("", "elsewhere"), 21)));
		Dispatch next = dispatch(silentAgain, neighbour);
		send(next);
		assertThat(next.results().published()).containsExactly(21L);
		assertThat(fates(next, Fate.POSTPONED)).containsExactly(2L);
	}

	@Test
	void severalMessagesInDoubtThatTheBrokerIsSilentAboutDoNotStopTheSearch() {
		this.broker.silent.addAll(List.of(1L, 12L));
		this.broker.closing.add(11L);
		Dispatch dispatch = brief(100, sequence(1), sequence(11), sequence(12), sequence(21, 22));
		send(dispatch);
		assertThat(dispatch.results().published()).containsExactlyInAnyOrder(21L, 22L);
		assertThat(failed(dispatch)).containsExactlyInAnyOrder(1L, 11L, 12L);
		assertThat(dispatch.outage()).isNull();
		assertThat(this.suspensions).isZero();
	}

	@Test
	void theCulpritIsFoundAlthoughTheBrokerIsSlowAndSilentAboutAnother() {
		this.broker.latency = BATCH_TIME.dividedBy(4);
		this.broker.silent.add(1L);
		this.broker.closing.add(11L);
		Dispatch dispatch = brief(100, sequence(1), sequence(11), sequence(21, 22));
		send(dispatch);
		assertThat(failed(dispatch)).contains(11L);
		assertThat(dispatch.results().published()).contains(21L);
		assertThat(dispatch.outage()).isNull();
	}

	@Test
	void theCulpritIsFoundHoweverLongTheBrokerTakesToCloseTheChannel() {
		this.broker.latency = Duration.ofSeconds(2);
		this.broker.silent.add(1L);
		this.broker.closing.add(11L);
		send(brief(100, sequence(1), sequence(11), sequence(21)));
		assertThat(this.suspensions).as("not known to be slow yet").isOne();
		Dispatch next = brief(100, sequence(1), sequence(11), sequence(21));
		send(next);
		assertThat(failed(next)).contains(11L);
	}

	@Test
	void aDestinationThatIsSilentForTheFirstTimeLeavesPlacesForOthers() {
		List<KeySequence> sequences = new ArrayList<>();
		for (long id = 1; id <= 150; id++) {
			this.broker.silent.add(id);
			sequences.add(new KeySequence(List.of(to(new Destination("", "elsewhere"), id))));
		}
		sequences.add(sequence(201, 202));
		Dispatch dispatch = brief(100, sequences.toArray(KeySequence[]::new));
		send(dispatch);
		assertThat(dispatch.results().published()).containsExactly(201L, 202L);
		assertThat(failed(dispatch)).contains(1L, 90L).doesNotContain(201L, 202L);
		assertThat(dispatch.outage()).isNull();
		assertThat(this.broker.greatestInFlight).isLessThanOrEqualTo(100);
	}

	@Test
	void aSearchIsNotSuspendedBetweenTwoTests() {
		this.breakers.answers()
			.answered(this.clock.getAsLong() - Duration.ofMillis(50).toNanos(), Duration.ofSeconds(5).toNanos());
		List<KeySequence> sequences = new ArrayList<>();
		for (long id = 1; id <= 12; id++) {
			this.broker.silent.add(id);
			sequences.add(sequence(id));
		}
		this.broker.closing.add(100L);
		sequences.add(sequence(100));
		Dispatch dispatch = brief(100, sequences.toArray(KeySequence[]::new));
		send(dispatch);
		assertThat(this.suspensions).isZero();
		assertThat(failed(dispatch)).contains(100L);
	}

	@Test
	void aSearchEnds() {
		this.broker.latency = Duration.ofMillis(2600);
		this.breakers.answers()
			.answered(this.clock.getAsLong() - this.broker.latency.toNanos(), Duration.ofSeconds(5).toNanos());
		this.broker.silent.add(1L);
		this.broker.closing.add(11L);
		this.broker.onSend = (id) -> this.stopping = this.broker.sent.size() > 200;
		Dispatch dispatch = brief(100, sequence(1), sequence(11));
		send(dispatch);
		assertThat(this.broker.sent).hasSizeLessThan(100);
		assertThat(dispatch.outage()).isNotNull();
	}

	@Test
	void aDestinationThatBecomesSuspectWhileItWaitsForAPlaceIsSentAlone() {
		List<KeySequence> sequences = new ArrayList<>();
		for (long id = 1; id <= 12; id++) {
			this.broker.silent.add(id);
			sequences.add(new KeySequence(List.of(message(id, "odd"))));
		}
		sequences.add(sequence(201, 202));
		Dispatch dispatch = brief(10, sequences.toArray(KeySequence[]::new));
		this.broker.onSend = (id) -> {
			if (id == 202L) {
				this.breakers.refused(message(99, "odd"), "closed");
			}
		};
		send(dispatch);
		assertThat(this.broker.sent).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 201L, 202L);
	}

	@Test
	void aSilentSuspectTakesNoPlaceInFlight() {
		this.broker.silent.add(1L);
		this.breakers.refused(message(99, "odd"), "closed");
		Dispatch dispatch = brief(1, new KeySequence(List.of(message(1, "odd"))), sequence(11, 12), sequence(21));
		send(dispatch);
		assertThat(dispatch.results().published()).containsExactlyInAnyOrder(11L, 12L, 21L);
		assertThat(failed(dispatch)).containsExactly(1L);
	}

	@Test
	void aSuspectThatTheBrokerIsSilentAboutHoldsTheOthersNoLongerThanABatchWhereAnswersAreSlow() {
		this.breakers.answers()
			.answered(this.clock.getAsLong() - Duration.ofSeconds(3).toNanos(), Duration.ofSeconds(5).toNanos());
		this.broker.silent.add(1L);
		this.breakers.refused(message(99, "odd"), "closed");
		Dispatch dispatch = brief(100, new KeySequence(List.of(message(1, "odd"))), sequence(11));
		this.broker.onSend = (id) -> assertThat(this.clock.millis()).isLessThanOrEqualTo(BATCH_TIME.toMillis());
		send(dispatch);
		assertThat(dispatch.results().published()).containsExactly(11L);
	}

	@Test
	void whatASenderFindsOutByItselfDoesNotMakeOthersSilent() {
		this.broker.silent.add(1L);
		this.broker.refusedBySender.add(11L);
		Dispatch dispatch = dispatch(sequence(1), sequence(11));
		send(dispatch);
		assertThat(failed(dispatch)).containsExactly(11L);
		assertThat(dispatch.outage()).hasMessageContaining("no confirm");
	}

	@Test
	void aSuspectOfAPipelinedKeyThatIsSilentDoesNotHoldOtherSuspects() {
		this.pipelined = true;
		this.broker.silent.add(1L);
		this.breakers.refused(message(99, "odd"), "closed");
		this.breakers.refused(message(98, "strange"), "closed");
		Dispatch dispatch = brief(100, new KeySequence(List.of(message(1, "odd"), message(2))),
				new KeySequence(List.of(message(3, "strange"))));
		send(dispatch);
		assertThat(dispatch.results().published()).contains(3L);
	}

	@Test
	void anErrorWhileABatchIsSuspendedIsNoFaultOfAMessage() {
		this.broker.silent.add(1L);
		Dispatch dispatch = patient(sequence(1, 2));
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> dispatch.through(this.broker, () -> {
			throw new OutOfMemoryError("on purpose");
		})).withMessage("on purpose");
		assertThat(this.broker.sent).containsExactly(1L);
		assertThat(failed(dispatch)).isEmpty();
	}

	@Test
	void aPipelinedSequenceDoesNotWaitForConfirmsAndKeepsItsOrder() {
		this.pipelined = true;
		Dispatch dispatch = dispatch(sequence(1, 2, 3, 4), sequence(11, 12));
		send(dispatch);
		assertThat(this.broker.sent).containsExactly(1L, 11L, 2L, 12L, 3L, 4L);
		assertThat(this.broker.greatestInFlight).isEqualTo(6);
		assertThat(dispatch.results().published()).containsExactly(1L, 11L, 2L, 12L, 3L, 4L);
	}

	@Test
	void aPipelinedSequenceEndsWithAFailureAndWhatWasSentBehindItIsPublished() {
		this.pipelined = true;
		this.broker.refused.add(2L);
		Dispatch dispatch = new Dispatch(new ScriptedClaim(List.of(sequence(1, 2, 3, 4, 5, 6))),
				settings(Duration.ofMinutes(1), 3), this.breakers, () -> this.stopping, this.clock,
				this.clock.getAsLong());
		send(dispatch);
		assertThat(this.broker.sent).containsExactly(1L, 2L, 3L);
		assertThat(failed(dispatch)).containsExactly(2L);
		assertThat(dispatch.results().published()).containsExactly(1L, 3L);
	}

	@Test
	void aPipelinedSequenceGoesBackToWhatIsInDoubtAndFindsTheCulprit() {
		this.pipelined = true;
		this.broker.closing.add(3L);
		Dispatch dispatch = dispatch(sequence(1, 2, 3, 4), sequence(11, 12));
		send(dispatch);
		assertThat(failed(dispatch)).containsExactly(3L);
		assertThat(dispatch.results().published()).containsExactlyInAnyOrder(1L, 2L, 11L, 12L);
		assertThat(this.broker.sent).as("4 left before the channel was closed, and not again").containsOnlyOnce(4L);
		assertThat(this.broker.sent.stream().distinct().filter((id) -> id < 10)).containsExactly(1L, 2L, 3L, 4L);
	}

	@Test
	void aPipelinedSequenceThatIsCutOffKeepsWhatWasConfirmed() {
		this.pipelined = true;
		this.broker.losing.add(3L);
		Dispatch dispatch = dispatch(sequence(1, 2, 3, 4));
		send(dispatch);
		assertThat(dispatch.outage()).hasMessage("lost");
		assertThat(failed(dispatch)).isEmpty();
		assertThat(dispatch.results().published()).doesNotContain(3L, 4L);
	}

	@Test
	void afterTheTimeOfTheBatchNothingMoreLeavesAndWhatIsInFlightIsAwaited() {
		this.broker.latency = Duration.ofMillis(20);
		Dispatch dispatch = brief(100, longSequence(1, 100), longSequence(1001, 100));
		send(dispatch);
		assertThat(this.broker.sent).as("a message of each key every 20 ms, for 250 ms").hasSize(2 * 13);
		assertThat(dispatch.results().published()).containsExactlyInAnyOrderElementsOf(this.broker.sent);
		assertThat(dispatch.results().failed()).isEmpty();
		assertThat(dispatch.outage()).isNull();
		assertThat(dispatch.isClaimLost()).isFalse();
		assertThat(this.clock.millis()).isEqualTo(260);
	}

	@Test
	void aKeyWithManyMessagesDoesNotHoldTheOthersOfTheBatch() {
		this.broker.latency = Duration.ofMillis(20);
		List<KeySequence> sequences = new ArrayList<>(List.of(longSequence(1, 500)));
		LongStream.range(1000, 1040).forEach((id) -> sequences.add(sequence(id)));
		Dispatch dispatch = brief(100, sequences.toArray(KeySequence[]::new));
		send(dispatch);
		assertThat(dispatch.results().published()).containsAll(LongStream.range(1000, 1040).boxed().toList());
		assertThat(this.clock.millis()).isLessThanOrEqualTo(270);
	}

	@Test
	void aPipelinedKeyDoesNotHoldTheBatchEither() {
		this.pipelined = true;
		this.broker.latency = Duration.ofMillis(20);
		Dispatch dispatch = brief(10, longSequence(1, 1000));
		send(dispatch);
		assertThat(this.broker.sent).containsExactlyElementsOf(LongStream.rangeClosed(1, 130).boxed().toList());
		assertThat(dispatch.results().published()).containsExactlyElementsOf(this.broker.sent);
		assertThat(this.clock.millis()).isEqualTo(260);
	}

	@Test
	void aSilentMessageIsAwaitedWhileTheOthersGoOnOnlyUntilTheTimeIsOver() {
		this.broker.latency = Duration.ofMillis(20);
		this.broker.silent.add(1L);
		ScriptedClaim claim = new ScriptedClaim(List.of(sequence(1, 2),
				new KeySequence(List.of(to(new Destination("", "elsewhere"), 11))), longSequence(1001, 100)));
		Dispatch dispatch = new Dispatch(claim, brief(100, Duration.ofSeconds(1)), this.breakers, () -> this.stopping,
				this.clock, this.clock.getAsLong());
		send(dispatch);
		assertThat(failed(dispatch)).containsExactly(1L);
		assertThat(dispatch.results().published()).hasSizeBetween(13, 14).contains(11L, 1001L);
		assertThat(this.clock.millis()).as("and a tenth, for what was sent after it").isEqualTo(1100);
		assertThat(claim.renewals).as("the claim is kept alive meanwhile").isGreaterThanOrEqualTo(6);
	}

	@Test
	void nothingIsSentOnAnAnswerOfTheStoreThatIsOlderThanTheRenewInterval() {
		this.broker.latency = Duration.ofMillis(1);
		List<Long> renewedAt = new ArrayList<>(List.of(0L));
		StandingClaim claim = new StandingClaim(List.of(longSequence(1, 1000), longSequence(1001, 1000))) {

			@Override
			public boolean renew() {
				renewedAt.add(DispatchTests.this.clock.millis());
				return true;
			}

		};
		this.broker.onSend = (id) -> assertThat(this.clock.millis() - renewedAt.get(renewedAt.size() - 1))
			.isLessThanOrEqualTo(RENEW_INTERVAL.toMillis());
		Dispatch dispatch = new Dispatch(claim, brief(100, CONFIRM_TIMEOUT), this.breakers, () -> this.stopping,
				this.clock, this.clock.getAsLong());
		send(dispatch);
		assertThat(this.broker.sent).hasSizeGreaterThan(400);
		assertThat(renewedAt).as("at least once in the time of a batch").hasSize(2);
	}

	@Test
	void whatIsInDoubtIsSentAlthoughTheTimeIsOver() {
		this.broker.latency = Duration.ofMillis(150);
		this.broker.closing.add(12L);
		Dispatch dispatch = brief(100, sequence(1, 2, 3), sequence(11, 12, 13), sequence(21, 22, 23));
		send(dispatch);
		assertThat(this.broker.sent).as("until the culprit is found")
			.containsExactly(1L, 11L, 21L, 2L, 12L, 22L, 2L, 12L);
		assertThat(this.broker.greatestInFlightAfterClose).isEqualTo(1);
		assertThat(failed(dispatch)).containsExactly(12L);
		assertThat(dispatch.results().published()).containsExactlyInAnyOrder(1L, 11L, 21L, 2L);
		assertThat(dispatch.outage()).isNull();
	}

	@Test
	void whatIsInDoubtOfAPipelinedKeyIsSentAlthoughTheTimeIsOver() {
		this.pipelined = true;
		this.broker.latency = Duration.ofMillis(300);
		this.broker.closing.add(3L);
		Dispatch dispatch = brief(6, longSequence(1, 20), sequence(101, 102));
		send(dispatch);
		assertThat(this.broker.sent).containsExactly(1L, 101L, 2L, 102L, 3L, 4L, 1L, 101L, 2L, 102L, 3L);
		assertThat(failed(dispatch)).containsExactly(3L);
		assertThat(dispatch.results().published()).containsExactlyInAnyOrder(1L, 101L, 2L, 102L);
	}

	@Test
	void whereOthersWaitAFewKeysWithManyMessagesEndTheBatchEarly() {
		this.broker.latency = Duration.ofMillis(20);
		List<KeySequence> sequences = new ArrayList<>();
		LongStream.rangeClosed(1, 6).forEach((key) -> sequences.add(longSequence(key * 1000, 500)));
		LongStream.rangeClosed(1, 40).forEach((id) -> sequences.add(sequence(id)));
		ScriptedClaim claim = new ScriptedClaim(sequences);
		claim.others = true;
		Dispatch dispatch = new Dispatch(claim, brief(100, Duration.ofSeconds(5)), this.breakers, () -> this.stopping,
				this.clock, this.clock.getAsLong());
		send(dispatch);
		assertThat(dispatch.results().published()).containsExactlyInAnyOrderElementsOf(this.broker.sent)
			.hasSize(40 + 2 * 6);
		assertThat(this.clock.millis()).isEqualTo(40);
	}

	@Test
	void whereOthersWaitManyKeysUseTheWholeTimeOfTheBatch() {
		this.broker.latency = Duration.ofMillis(20);
		List<KeySequence> sequences = new ArrayList<>();
		LongStream.rangeClosed(1, 20).forEach((key) -> sequences.add(longSequence(key * 1000, 500)));
		ScriptedClaim claim = new ScriptedClaim(sequences);
		claim.others = true;
		Dispatch dispatch = new Dispatch(claim, brief(100, Duration.ofSeconds(5)), this.breakers, () -> this.stopping,
				this.clock, this.clock.getAsLong());
		send(dispatch);
		assertThat(this.clock.millis()).isEqualTo(260);
	}

	@Test
	void keysThatWaitBecauseTheirExchangeIsSuspectAreNotTakenForFew() {
		this.broker.latency = Duration.ofMillis(20);
		List<KeySequence> sequences = new ArrayList<>();
		for (long id = 1; id <= 12; id++) {
			this.breakers.refused(message(100 + id, "odd-" + id), "closed");
			sequences.add(new KeySequence(List.of(message(id, "odd-" + id))));
		}
		ScriptedClaim claim = new ScriptedClaim(sequences);
		claim.others = true;
		Dispatch dispatch = new Dispatch(claim, brief(100, Duration.ofSeconds(5)), this.breakers, () -> this.stopping,
				this.clock, this.clock.getAsLong());
		send(dispatch);
		assertThat(dispatch.results().published()).as("until eight are left").hasSize(4);
	}

	@Test
	void theTimeOfTheBatchBeginsWithTheChannel() {
		this.broker.timeToConnect = BATCH_TIME.multipliedBy(2);
		Dispatch dispatch = brief(100, sequence(1, 2));
		send(dispatch);
		assertThat(dispatch.results().published()).containsExactly(1L, 2L);
	}

	private Dispatch brief(int maxInFlight, KeySequence... sequences) {
		return new Dispatch(new ScriptedClaim(List.of(sequences)), brief(maxInFlight, Duration.ofSeconds(5)),
				this.breakers, () -> this.stopping, this.clock, this.clock.getAsLong());
	}

	private WorkerSettings brief(int maxInFlight, Duration confirmTimeout) {
		return new WorkerSettings(Duration.ofSeconds(1), BATCH_TIME, maxInFlight, this.pipelined, confirmTimeout,
				RENEW_INTERVAL, new FailurePolicy(BACK_OFF, 0, OnExhausted.BLOCK), BACK_OFF);
	}

	private static KeySequence longSequence(long first, int length) {
		return sequence(LongStream.range(first, first + length).toArray());
	}

	private Dispatch dispatch(KeySequence... sequences) {
		return new Dispatch(new ScriptedClaim(List.of(sequences)), settings(Duration.ofMinutes(1)), this.breakers,
				() -> this.stopping, this.clock, this.clock.getAsLong());
	}

	/**
	 * With a batch time that is much shorter than the broker may take to confirm.
	 */
	private Dispatch patient(KeySequence... sequences) {
		WorkerSettings settings = new WorkerSettings(Duration.ofSeconds(1), CONFIRM_TIMEOUT.dividedBy(20), 100, false,
				CONFIRM_TIMEOUT, CONFIRM_TIMEOUT.dividedBy(40), new FailurePolicy(BACK_OFF, 0, OnExhausted.BLOCK),
				BACK_OFF);
		return new Dispatch(new ScriptedClaim(List.of(sequences)), settings, this.breakers, () -> this.stopping,
				this.clock, this.clock.getAsLong());
	}

	private void send(Dispatch dispatch) {
		dispatch.through(this.broker, () -> this.suspensions++);
	}

	private WorkerSettings settings(Duration renewInterval) {
		return settings(renewInterval, 100);
	}

	private WorkerSettings settings(Duration renewInterval, int maxInFlight) {
		return new WorkerSettings(Duration.ofSeconds(1), Duration.ofMinutes(1), maxInFlight, this.pipelined,
				CONFIRM_TIMEOUT, renewInterval, new FailurePolicy(BACK_OFF, 0, OnExhausted.BLOCK), BACK_OFF);
	}

	private static List<Long> fates(Dispatch dispatch, Fate fate) {
		return dispatch.results()
			.failed()
			.stream()
			.filter((failure) -> failure.fate() == fate)
			.map(FailedMessage::id)
			.toList();
	}

	private static List<Long> failed(Dispatch dispatch) {
		return fates(dispatch, Fate.RETRIED);
	}

	private static KeySequence sequence(long... ids) {
		return new KeySequence(Arrays.stream(ids).mapToObj(DispatchTests::message).toList());
	}

	private static StoredMessage message(long id) {
		return message(id, "");
	}

	private static StoredMessage message(long id, String exchange) {
		return to(new Destination(exchange, "key"), id);
	}

	private static StoredMessage to(Destination destination, long id) {
		return stored(id, destination, null);
	}

	private static StoredMessage damaged(long id) {
		return stored(id, new Destination("", ""), Defect.lasting("The row is damaged"));
	}

	private static StoredMessage stored(long id, Destination destination, Defect defect) {
		Message message = new Message(new UUID(0, id), "order.placed", "", destination, "text/plain",
				"".getBytes(StandardCharsets.UTF_8), Map.of());
		return new StoredMessage(id, message, Instant.EPOCH, 0, defect);
	}

	/**
	 * A broker that does as it is told.
	 */
	private static final class Script implements MessageSender {

		private final ManualClock clock;

		private final List<Long> silent = new ArrayList<>();

		private final List<Long> refused = new ArrayList<>();

		private final List<Long> refusedBySender = new ArrayList<>();

		private final List<Long> closing = new ArrayList<>();

		private final List<Long> losing = new ArrayList<>();

		private final List<Long> sent = new ArrayList<>();

		private Duration latency = Duration.ZERO;

		private Duration timeToConnect = Duration.ZERO;

		private final Map<Long, Integer> sentBeside = new LinkedHashMap<>();

		private int inFlight;

		private int greatestInFlight;

		private int greatestInFlightAfterClose;

		private boolean closedOnce;

		private Consumer<Long> onSend = (id) -> {
		};

		Script(ManualClock clock) {
			this.clock = clock;
		}

		@Override
		public void withChannel(Consumer<SendingChannel> work) {
			this.clock.advance(this.timeToConnect);
			work.accept(new ScriptedChannel());
		}

		private final class ScriptedChannel implements SendingChannel {

			// When the broker answers for what is in flight, in the order of sending
			private final Map<Long, Long> answers = new LinkedHashMap<>();

			@Override
			public void send(StoredMessage message) {
				Script.this.sent.add(message.id());
				this.answers.put(message.id(), Script.this.clock.getAsLong() + Script.this.latency.toNanos());
				Script.this.inFlight = this.answers.size();
				Script.this.greatestInFlight = Math.max(Script.this.greatestInFlight, this.answers.size());
				if (Script.this.closedOnce) {
					Script.this.greatestInFlightAfterClose = Math.max(Script.this.greatestInFlightAfterClose,
							this.answers.size());
				}
				Script.this.onSend.accept(message.id());
			}

			@Override
			public Outcome nextOutcome(Duration timeout) {
				long deadline = Script.this.clock.getAsLong() + timeout.toNanos();
				Long next = next(deadline);
				if (next == null) {
					Script.this.clock.advanceTo(deadline);
					return null;
				}
				Script.this.clock.advanceTo(this.answers.remove(next));
				if (Script.this.refusedBySender.contains(next)) {
					return Outcome.failed(next, "refused by the sender");
				}
				return Script.this.refused.contains(next) ? Outcome.failed(next, "refused", FailureReason.NACKED)
						: Outcome.published(next);
			}

			private Long next(long deadline) {
				Long next = null;
				for (long id : this.answers.keySet()) {
					boolean answered = this.answers.get(id) <= deadline && !Script.this.silent.contains(id);
					if (answered && Script.this.closing.contains(id)) {
						Script.this.clock.advanceTo(this.answers.get(id));
						Script.this.closedOnce = true;
						throw new ChannelRefusedException("closed");
					}
					if (answered && next == null) {
						next = id;
					}
				}
				if (next != null && Script.this.losing.contains(next)) {
					throw new TransportException("lost", null);
				}
				return next;
			}

		}

	}

	private static final class ScriptedClaim extends StandingClaim {

		private boolean lost;

		private boolean others;

		private int renewals;

		ScriptedClaim(List<KeySequence> sequences) {
			super(sequences);
		}

		@Override
		public boolean moreIsWaiting() {
			return this.others;
		}

		@Override
		public boolean renew() {
			this.renewals++;
			return !this.lost;
		}

	}

}
