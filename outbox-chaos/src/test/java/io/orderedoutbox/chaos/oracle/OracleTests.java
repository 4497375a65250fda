/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.oracle;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.orderedoutbox.chaos.fault.Part;
import io.orderedoutbox.chaos.oracle.Story.Told;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An oracle that finds nothing is worth nothing.
 */
@Tag("unit")
class OracleTests {

	private final Story story = new Story();

	@Test
	void nothingIsWrongWhenEverythingArrivesInOrder() {
		this.story.commitAndDeliver(Story.COUNTED, 5);
		this.story.commitAndDeliver(Story.UNCOUNTED, 5);
		this.story.commitAndDeliver("", 5);
		Verdict verdict = this.story.judge();
		assertThat(verdict.findings().examples()).isEmpty();
		assertThat(verdict.findings().isClean()).isTrue();
		assertThat(verdict.figures().messages()).isEqualTo(15);
		assertThat(verdict.figures().longestHealthyStall()).isEqualTo(Duration.ofSeconds(1));
		assertThat(verdict.figures().longestHealthyGap()).isEqualTo(Duration.ofSeconds(2));
	}

	@ParameterizedTest
	@ValueSource(strings = { Story.COUNTED, Story.UNCOUNTED, "" })
	void aMessageThatNeverArrivesIsLost(String key) {
		this.story.commitAndDeliver(key, 2);
		this.story.commit(key);
		assertOnly(Breach.LOST, 1);
	}

	@Test
	void aLostMessageIsFoundEvenWhenItsWriterDoesNotKnowThatItWasCommitted() {
		this.story.forgetCommit(this.story.commit(Story.UNCOUNTED));
		assertOnly(Breach.LOST, 1);
	}

	@Test
	void aCommitThatTheLedgerDoesNotKnowIsFound() {
		this.story.unenter(this.story.commit(Story.UNCOUNTED));
		assertOnly(Breach.LEDGER, 1);
	}

	@Test
	void aMessageThatWasNotCommittedIsAPhantom() {
		Told rolledBack = this.story.commit(Story.UNCOUNTED);
		this.story.forgetCommit(rolledBack).unenter(rolledBack).deliver(rolledBack);
		assertOnly(Breach.PHANTOM, 1);
	}

	@Test
	void theCounterKnowsThatAMessageWasOvertaken() {
		Told first = this.story.commit(Story.COUNTED);
		Told second = this.story.commit(Story.COUNTED);
		this.story.deliver(second, first);
		assertThat(this.story.judge().findings().count(Breach.OVERTAKEN)).isPositive();
	}

	@Test
	void theLedgerKnowsThatAMessageWasOvertaken() {
		Told first = this.story.commit(Story.UNCOUNTED);
		Told second = this.story.commit(Story.UNCOUNTED);
		this.story.forgetCommit(first).forgetCommit(second).deliver(second, first);
		assertOnly(Breach.OVERTAKEN, 1);
	}

	@Test
	void theClockKnowsThatAMessageWasOvertakenEvenWhenThePositionsDoNot() {
		// Without a stripe lock, the position may be taken long before the commit
		Told first = this.story.commit(Story.UNCOUNTED);
		Told second = this.story.commit(Story.UNCOUNTED);
		this.story.exchangePositions(first, second);
		this.story.deliver(second, first);
		assertThat(this.story.judge().findings().examples()).singleElement()
			.asString()
			.contains("its commit had ended before that one began");
	}

	@Test
	void nobodyIsOvertakenWithoutAnOrder() {
		Told first = this.story.commit(Story.COUNTED);
		Told second = this.story.commit(Story.COUNTED);
		Told third = this.story.commit("");
		this.story.unordered().deliver(third, second, first);
		assertClean();
	}

	@Test
	void messagesWithoutAKeyOvertakeEachOther() {
		Told first = this.story.commit("");
		Told second = this.story.commit("");
		this.story.deliver(second, first);
		assertClean();
	}

	@Test
	void aDuplicateOfTheLastRunIsExplainedByAFault() {
		List<Told> messages = this.story.commitAndDeliver(Story.COUNTED, 5);
		this.story.breakSomething(0).deliver(messages.get(2), messages.get(3), messages.get(4));
		assertThat(this.story.judge().figures().duplicates()).isEqualTo(3);
		assertClean();
	}

	@Test
	void aDuplicateIsUnexplainedWhenNothingWasBroken() {
		List<Told> messages = this.story.commitAndDeliver(Story.COUNTED, 5);
		this.story.deliver(messages.get(4));
		assertOnly(Breach.UNEXPLAINED_DUPLICATE, 1);
	}

	@Test
	void aDuplicateIsUnexplainedLongAfterAFault() {
		this.story.breakSomething(0).aMinuteLater();
		Told message = this.story.commitAndDeliver(Story.COUNTED, 1).get(0);
		this.story.deliver(message);
		assertOnly(Breach.UNEXPLAINED_DUPLICATE, 1);
	}

	@Test
	void aDuplicateFurtherBackThanARunIsUnexplained() {
		List<Told> messages = this.story.commitAndDeliver(Story.COUNTED, 5);
		this.story.breakSomething(0).deliver(messages.get(1));
		assertOnly(Breach.UNEXPLAINED_DUPLICATE, 1);
	}

	@Test
	void eachWorkerOfAFrozenRelayMayRepeatOneMessageFromFurtherBack() {
		List<Told> messages = this.story.commitAndDeliver(Story.COUNTED, 8);
		this.story.breakSomething(1).deliver(messages.get(1), messages.get(2));
		assertThat(this.story.judge().figures().farDuplicates()).isEqualTo(2);
		assertClean();
		this.story.deliver(messages.get(3));
		assertOnly(Breach.UNEXPLAINED_DUPLICATE, 1);
	}

	@Test
	void aDuplicateMustNotDifferFromItsOriginal() {
		List<Told> messages = this.story.commitAndDeliver(Story.COUNTED, 2);
		this.story.breakSomething(0).deliverOtherwise(messages.get(1));
		assertOnly(Breach.ALTERED, 1);
	}

	@Test
	void aMessageMustArriveAsItWasPublished() {
		this.story.deliverWithKey(this.story.commit(Story.UNCOUNTED), "another");
		assertOnly(Breach.ALTERED, 1);
	}

	@Test
	void whatTheBrokerDeliversAgainIsNoDuplicate() {
		List<Told> messages = this.story.commitAndDeliver(Story.COUNTED, 5);
		this.story.redeliver(messages.get(0));
		assertThat(this.story.judge().figures().redelivered()).isEqualTo(1);
		assertThat(this.story.judge().figures().duplicates()).isZero();
		assertClean();
	}

	@Test
	void whatTheBrokerDeliversAgainMustNotDifferEither() {
		Told message = this.story.commitAndDeliver(Story.COUNTED, 1).get(0);
		this.story.deliverOtherwise(message).redeliver(message);
		assertThat(this.story.judge().findings().count(Breach.ALTERED)).isPositive();
	}

	@ParameterizedTest
	@ValueSource(strings = { "RabbitMQ was lost: connection error", "DataAccessResourceFailureException: gone",
			"channel closed by the broker: 320 CONNECTION_FORCED" })
	void anAttemptMustNotBeSpentByAnOutage(String reason) {
		this.story.breakSomething(0).countAttempt(reason);
		assertOnly(Breach.ATTEMPT, 1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "RETRIED returned by the broker: 312 NO_ROUTE", "nacked by the broker",
			"channel closed by the broker: 404 NOT_FOUND", "no confirm from the broker within PT2S" })
	void anAttemptMayBeSpentByAFailureOfTheMessage(String reason) {
		this.story.breakSomething(0).countAttempt(reason);
		assertThat(this.story.judge().figures().attempts()).hasSize(1).containsValue(1);
		assertClean();
	}

	@Test
	void anAttemptMustNotBeSpentWhileNothingIsBroken() {
		this.story.breakSomething(0).aMinuteLater().countAttempt("nacked by the broker");
		assertOnly(Breach.ATTEMPT, 1);
	}

	@Test
	void aBusinessTransactionMustNotFailWhileNothingIsBroken() {
		this.story.refuse("Deadlock found").aMinuteLater().breakSomething(0).refuse("Connection refused");
		assertOnly(Breach.REFUSAL, 1);
	}

	@Test
	void anAttemptIsNotExplainedByADatabaseThatIsBroken() {
		this.story.breakParts(0, Part.DATABASE, Part.WRITER, Part.RELAY).countAttempt("returned by the broker: 312");
		assertOnly(Breach.ATTEMPT, 1);
	}

	@Test
	void aBusinessTransactionMustNotFailBecauseOfRelaysOrTheBroker() {
		this.story.breakParts(0, Part.BROKER, Part.RELAY).refuse("Lock wait timeout exceeded");
		assertOnly(Breach.REFUSAL, 1);
	}

	@Test
	void aDuplicateIsNotExplainedByAWriterThatIsBroken() {
		Told message = this.story.commitAndDeliver(Story.COUNTED, 1).get(0);
		this.story.breakParts(0, Part.WRITER).deliver(message);
		assertOnly(Breach.UNEXPLAINED_DUPLICATE, 1);
	}

	@Test
	void whatCouldNotBeMeasuredIsNotZero() {
		this.story.breakSomething(0).commitAndDeliver(Story.COUNTED, 1);
		assertThat(this.story.judge().figures().longestHealthyStall()).isNull();
		assertThat(this.story.judge().figures().longestHealthyGap()).isNull();
	}

	@Test
	void attemptsAreCountedByReason() {
		this.story.breakSomething(0).countAttempt("nacked by the broker").countAttempt("nacked by the broker");
		assertThat(this.story.judge().figures().attempts()).isEqualTo(Map.of("nacked", 2));
	}

	private void assertClean() {
		assertThat(this.story.judge().findings().examples()).isEmpty();
	}

	private void assertOnly(Breach breach, int count) {
		Findings findings = this.story.judge().findings();
		assertThat(findings.count(breach)).as("%s", findings.examples()).isEqualTo(count);
		assertThat(findings.examples()).hasSize(count);
		assertThat(findings.isClean()).isFalse();
	}

}
