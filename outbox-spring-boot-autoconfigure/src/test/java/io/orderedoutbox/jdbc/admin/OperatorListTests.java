/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.admin;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;

import io.orderedoutbox.admin.MessageSelection;
import io.orderedoutbox.admin.MessageState;
import io.orderedoutbox.admin.MessageSummary;
import io.orderedoutbox.admin.OutboxAdministration;
import io.orderedoutbox.admin.OutboxPage;
import io.orderedoutbox.jdbc.OutboxTables;
import io.orderedoutbox.jdbc.Partitions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * What operators are shown.
 */
@Timeout(60)
class OperatorListTests {

	private final OutboxTables tables = new OutboxTables();

	private final OutboxAdministration operator = this.tables.operator(true, (partitions) -> {
	});

	private final OutboxAdministration unordered = this.tables.operator(false, (partitions) -> {
	});

	@AfterEach
	void close() {
		this.tables.close();
	}

	@Test
	void aStalledMessageIsShownWithItsReasonAndWhatWaitsBehindIt() {
		this.tables.commit("a", "a", "a", "b");
		this.tables.stall("id = 1");
		MessageSummary message = list(MessageState.STALLED, MessageSelection.all()).get(0);
		Instant now = now();
		assertThat(message.messageId())
			.isEqualTo(this.tables.column(String.class, "message_id", "outbox_message").get(0));
		assertThat(message).extracting(MessageSummary::name, MessageSummary::partitionKey, MessageSummary::exchange,
				MessageSummary::routingKey, MessageSummary::attempts, MessageSummary::lastError, MessageSummary::state)
			.containsExactly("order.placed", "a", "", "nowhere", 3, "returned", MessageState.STALLED);
		assertThat(message.createdAt()).isBetween(now.minusSeconds(60), now);
		assertThat(message.since()).isBetween(message.createdAt(), now);
		assertThat(message.retryAt()).isBetween(now.plus(Duration.ofMinutes(59)), now.plus(Duration.ofMinutes(61)));
		assertThat(message.waitingBehind()).isEqualTo(2);
		assertThat(list(MessageState.BLOCKED, MessageSelection.all())).isEmpty();
	}

	private List<MessageSummary> list(MessageState state, MessageSelection selection) {
		return this.operator.list(state, selection, null, 10).messages();
	}

	private Instant now() {
		long micros = this.tables.jdbc()
			.sql("SELECT " + this.tables.outbox().dialect().sql().micros("UTC_TIMESTAMP(6)"))
			.query(Long.class)
			.single();
		return Instant.EPOCH.plusNanos(micros * 1000);
	}

	@Test
	void aBlockedMessageHasNoTimeToWaitFor() {
		this.tables.commit("a", "b");
		this.tables.block("id = 1");
		assertThat(list(MessageState.BLOCKED, MessageSelection.all())).singleElement()
			.satisfies((stuck) -> assertThat(stuck.retryAt()).isNull());
		assertThat(list(MessageState.STALLED, MessageSelection.all())).isEmpty();
	}

	@Test
	void aStalledMessageThatHasJustBecomeDueIsStillShown() {
		this.tables.commit("a");
		this.tables.stall("TRUE");
		this.tables.makeDue();
		assertThat(list(MessageState.STALLED, MessageSelection.all())).hasSize(1);
	}

	@Test
	void nothingWaitsBehindAMessageThatIsBoundToNoOrder() {
		this.tables.commit("", "", "a", "a");
		this.tables.stall("id IN (1, 3)");
		assertThat(list(MessageState.STALLED, MessageSelection.all())).extracting(MessageSummary::waitingBehind)
			.containsExactly(0, 1);
	}

	@Test
	void inUnorderedModeNothingWaitsBehindAMessage() {
		this.tables.commit("a", "a", "a");
		this.tables.stallEach("id < 3");
		assertThat(this.unordered.list(MessageState.STALLED, MessageSelection.all(), null, 10).messages())
			.extracting(MessageSummary::waitingBehind)
			.containsExactly(0, 0);
	}

	@Test
	void countingWhatWaitsBehindAMessageEnds() {
		this.tables.fillWith(MessageSummary.MAX_COUNT + 500, "a");
		this.tables.stall("id = 1");
		assertThat(list(MessageState.STALLED, MessageSelection.all())).extracting(MessageSummary::waitingBehind)
			.containsExactly(MessageSummary.MAX_COUNT);
	}

	@Test
	void aDeadLetterIsShownWithItsReason() {
		this.tables.commit("a");
		this.tables.stall("TRUE");
		this.operator.skip(MessageSelection.all());
		MessageSummary dead = list(MessageState.DEAD, MessageSelection.all()).get(0);
		assertThat(dead.lastError()).isEqualTo("returned");
		assertThat(dead.attempts()).isEqualTo(3);
		assertThat(dead.since()).isBetween(dead.createdAt(), now());
	}

	// What was not moved to the lane of the key so far
	@Test
	void whatWasWrittenSinceAKeyWasParkedIsNotCounted() {
		this.tables.commit("a", "a");
		this.tables.stall("id = 1");
		this.tables.commit("a");
		assertThat(list(MessageState.STALLED, MessageSelection.key("a"))).extracting(MessageSummary::waitingBehind)
			.containsExactly(1);
	}

	@Test
	void aKeyWithTheHashOfAnotherIsNotTakenForIt() {
		this.tables.commit("plumless", "buckeroo");
		assertThat(Partitions.hash("plumless")).isEqualTo(Partitions.hash("buckeroo"));
		this.tables.stall("partition_key = 'buckeroo'");
		assertThat(list(MessageState.STALLED, MessageSelection.key("plumless"))).isEmpty();
		assertThat(list(MessageState.STALLED, MessageSelection.key("buckeroo"))).hasSize(1);
	}

	@ParameterizedTest
	@CsvSource({ "message, 1", "key, 2", "no key, 1", "name, 1", "group, 1", "all, 3" })
	void everyListIsNarrowedByTheSelectionsOfTheVerbs(String selected, int expected) {
		this.tables.commit("a", "", "a");
		this.tables.jdbc().sql("UPDATE outbox_message SET name = 'order.lost' WHERE id = 3").update();
		String messageId = this.tables.column(String.class, "message_id", "outbox_message").get(1);
		MessageSelection selection = switch (selected) {
			case "message" -> MessageSelection.message(messageId);
			case "key" -> MessageSelection.key("a");
			case "no key" -> MessageSelection.withoutKey();
			case "name" -> MessageSelection.name("order.lost");
			case "group" -> MessageSelection.group("queue 'nowhere': order # is locked");
			default -> MessageSelection.all();
		};
		this.tables.stallEach("TRUE");
		this.tables.jdbc().sql("UPDATE outbox_message SET last_error = 'order 17 is locked' WHERE id = 3").update();
		assertThat(this.unordered.list(MessageState.STALLED, selection, null, 10).messages()).hasSize(expected);
		this.tables.jdbc().sql("UPDATE outbox_parked SET available_at = '9999-12-31'").update();
		assertThat(this.unordered.list(MessageState.BLOCKED, selection, null, 10).messages()).hasSize(expected);
		this.unordered.skip(MessageSelection.all());
		assertThat(this.unordered.list(MessageState.DEAD, selection, null, 10).messages()).hasSize(expected);
	}

	@Test
	void pagesShowOnceWhatStaysWhileOthersComeAndGo() {
		this.tables.fill(100, 100);
		this.tables.stall("id <= 50");
		List<String> seen = walk((after) -> this.operator.list(MessageState.STALLED, MessageSelection.all(), after, 7),
				(page) -> {
					long last = Long.parseLong(page.next());
					this.operator.retry(MessageSelection.key("filler-" + (last - 1)));
					this.operator.skip(MessageSelection.key("filler-" + (last - 5)));
					this.tables.stall("id = " + (50 + last));
				});
		assertThat(seen).doesNotHaveDuplicates();
		assertThat(seen.subList(0, 50)).isEqualTo(IntStream.range(0, 50).mapToObj((key) -> "filler-" + key).toList());
		assertThat(seen).hasSizeGreaterThan(55);
	}

	private static List<String> walk(Function<@Nullable String, OutboxPage> list, Consumer<OutboxPage> between) {
		List<String> seen = new ArrayList<>();
		String after = null;
		do {
			OutboxPage page = list.apply(after);
			page.messages().forEach((item) -> seen.add(item.partitionKey()));
			after = page.next();
			if (after != null) {
				between.accept(page);
			}
		}
		while (after != null);
		return seen;
	}

	@Test
	void theLastPageSaysSo() {
		this.tables.fill(4, 4);
		this.tables.stall("TRUE");
		OutboxPage first = this.operator.list(MessageState.STALLED, MessageSelection.all(), null, 2);
		OutboxPage second = this.operator.list(MessageState.STALLED, MessageSelection.all(), first.next(), 2);
		assertThat(first.next()).isNotNull();
		assertThat(second.messages()).hasSize(2);
		assertThat(second.next()).isNull();
	}

	@Test
	void aPageHasABoundAndACursorMustBeOne() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.operator.list(MessageState.STALLED, MessageSelection.all(), null, 0))
			.withMessage("'size' must be between 1 and 200, but is 0");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.operator.list(MessageState.DEAD, MessageSelection.all(), null, 201))
			.withMessage("'size' must be between 1 and 200, but is 201");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.operator.list(MessageState.BLOCKED, MessageSelection.all(), "x", 1))
			.withMessage("'after' must be where another page ended, but is 'x'");
	}

}
