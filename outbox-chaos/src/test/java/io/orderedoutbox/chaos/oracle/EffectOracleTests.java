/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.oracle;

import java.time.Duration;

import io.orderedoutbox.chaos.fault.Part;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An oracle that finds nothing is worth nothing.
 */
@Tag("unit")
class EffectOracleTests {

	private final EffectStory story = new EffectStory();

	private final Findings findings = new Findings();

	@Test
	void nothingIsWrongWhenEachMessageHasOneEffectInOrder() {
		for (int round = 0; round < 3; round++) {
			this.story.process(this.story.commit(EffectStory.KEY));
			this.story.process(this.story.commit(""));
		}
		EffectFigures figures = this.story.judge(this.findings);
		assertThat(this.findings.examples()).isEmpty();
		assertThat(figures.messages()).isEqualTo(6);
		assertThat(figures.effects()).isEqualTo(6);
		assertThat(figures.longestStall()).isEqualTo(Duration.ofSeconds(1));
		assertThat(figures.longestHealthyStall()).isEqualTo(Duration.ofSeconds(1));
		assertThat(figures.longestGap()).isEqualTo(Duration.ofSeconds(2));
	}

	@ParameterizedTest
	@ValueSource(strings = { EffectStory.KEY, "" })
	void aMessageWithoutAnEffectIsLost(String key) {
		this.story.process(this.story.commit(key));
		this.story.commit(key);
		assertOnly(Breach.LOST);
	}

	@ParameterizedTest
	@ValueSource(strings = { EffectStory.KEY, "" })
	void aMessageWithTwoEffectsWasProcessedTwice(String key) {
		LedgerEntry entry = this.story.commit(key);
		this.story.process(entry, entry);
		assertOnly(Breach.PROCESSED_TWICE);
	}

	@Test
	void anEffectOfWhatWasNotCommittedIsAPhantom() {
		LedgerEntry rolledBack = this.story.commit(EffectStory.KEY);
		this.story.unenter(rolledBack).process(rolledBack);
		assertOnly(Breach.PHANTOM);
	}

	@Test
	void anEffectAfterThatOfALaterMessageOfItsKeyWasOvertaken() {
		LedgerEntry first = this.story.commit(EffectStory.KEY);
		LedgerEntry second = this.story.commit(EffectStory.KEY);
		this.story.process(second, first);
		assertOnly(Breach.OVERTAKEN);
	}

	@Test
	void messagesOfOtherKeysAndWithoutAKeyOvertakeEachOther() {
		LedgerEntry first = this.story.commit("");
		LedgerEntry second = this.story.commit("");
		LedgerEntry third = this.story.commit(EffectStory.KEY);
		LedgerEntry fourth = this.story.commit("another");
		this.story.process(fourth, third, second, first);
		assertClean();
	}

	@Test
	void twoMessagesOfAKeyMustNotBeProcessedAtTheSameTime() {
		this.story.processHaving(0, this.story.commit(EffectStory.KEY));
		this.story.processHaving(0, this.story.commit(EffectStory.KEY));
		assertOnly(Breach.OVERLAPPED);
	}

	@Test
	void aMessageMustHaveTheKeyThatItWasPublishedWith() {
		this.story.processAs("another", this.story.commit(EffectStory.KEY));
		assertOnly(Breach.ALTERED);
	}

	@Test
	void duplicatesThatWereSuppressedAreCounted() {
		this.story.process(this.story.commit(EffectStory.KEY)).deliverInVain("DUPLICATE").deliverInVain("DUPLICATE");
		assertThat(this.story.judge(this.findings).duplicates()).isEqualTo(2);
		assertThat(this.findings.isClean()).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "CONSUMER", "DATABASE" })
	void aDeliveryMayFailWhileWhatItNeedsIsBroken(String part) {
		this.story.breakParts(Part.valueOf(part)).deliverInVain("FAILED");
		assertThat(this.story.judge(this.findings).failures()).isEqualTo(1);
		assertThat(this.findings.isClean()).isTrue();
	}

	@Test
	void aDeliveryMustNotFailWhileNothingThatItNeedsIsBroken() {
		this.story.breakParts(Part.CONSUMER).aMinuteLater().breakParts(Part.RELAY).deliverInVain("FAILED");
		assertOnly(Breach.REFUSAL);
	}

	@Test
	void whatCouldNotBeMeasuredIsNotZero() {
		this.story.breakParts(Part.BROKER).process(this.story.commit(EffectStory.KEY));
		assertThat(this.story.judge(this.findings).longestHealthyStall()).isNull();
		assertThat(Measured.seconds(null)).isEqualTo("not measured");
	}

	private void assertClean() {
		this.story.judge(this.findings);
		assertThat(this.findings.examples()).isEmpty();
	}

	private void assertOnly(Breach breach) {
		this.story.judge(this.findings);
		assertThat(this.findings.count(breach)).as("%s", this.findings.examples()).isOne();
		assertThat(this.findings.examples()).hasSize(1);
	}

}
