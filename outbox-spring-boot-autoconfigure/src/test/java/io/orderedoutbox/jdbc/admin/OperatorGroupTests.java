/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.admin;

import java.util.List;
import java.util.stream.Stream;

import io.orderedoutbox.admin.FailureGroup;
import io.orderedoutbox.admin.FailureGroups;
import io.orderedoutbox.admin.MessageSelection;
import io.orderedoutbox.admin.MessageState;
import io.orderedoutbox.admin.MessageSummary;
import io.orderedoutbox.admin.OperatorVerb;
import io.orderedoutbox.admin.OutboxAdministration;
import io.orderedoutbox.admin.OutboxFigures;
import io.orderedoutbox.admin.OutboxPage;
import io.orderedoutbox.admin.VerbResult;
import io.orderedoutbox.jdbc.OutboxTables;
import io.orderedoutbox.servers.Servers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * What has failed for one destination and one cause is seen together, and one verb is
 * enough for it.
 */
@Timeout(90)
class OperatorGroupTests {

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
	void keysThatWaitForOneDestinationAndCauseAreOneGroup() {
		this.tables.commit("a", "a", "b", "c", "", "d", "e");
		this.tables.stall("id IN (1, 3)");
		this.tables.block("id IN (4, 5, 6)");
		error("exchange = 'shop'", "id IN (1, 3, 4, 5)");
		error("last_error = CONCAT('no answer within ', 10 + id, ' ms for order ', id)", "id IN (1, 3, 4, 5)");
		error("exchange = 'stock', last_error = 'no answer within 7 ms for order 1'", "id = 6");
		error("created_at = UTC_TIMESTAMP(6) - INTERVAL '2' HOUR", "id = 4");

		FailureGroups groups = this.operator.groups();

		assertThat(groups.more()).isFalse();
		assertThat(groups.groups()).extracting(FailureGroup::group)
			.containsExactly("exchange 'shop': no answer within # ms for order #",
					"exchange 'stock': no answer within # ms for order #");
		FailureGroup group = groups.groups().get(0);
		assertThat(group)
			.extracting(FailureGroup::exchange, FailureGroup::cause, FailureGroup::keys, FailureGroup::stalled,
					FailureGroup::blocked, FailureGroup::deadLetters)
			.containsExactly("shop", "no answer within # ms for order #", 4L, 2L, 2L, 0L);
		assertThat(group.example()).extracting(MessageSummary::partitionKey, MessageSummary::lastError)
			.as("the oldest, as it is")
			.containsExactly("c", "no answer within 14 ms for order 4");
		assertThat(group.oldest()).isEqualTo(group.example().createdAt());
	}

	@Test
	void deadLettersBelongToTheirGroupToo() {
		this.tables.commit("a", "b", "c");
		this.tables.block("TRUE");
		this.operator.skip(MessageSelection.key("a"));
		this.operator.skip(MessageSelection.key("b"));
		FailureGroup group = this.operator.groups().groups().get(0);
		assertThat(group.group()).isEqualTo("queue 'nowhere': returned");
		assertThat(List.of(group.keys(), group.deadLetters())).containsExactly(1L, 2L);
		assertThat(group.example().state()).as("what waits comes first").isEqualTo(MessageState.BLOCKED);
		this.operator.skip(MessageSelection.all());
		assertThat(this.operator.groups().groups()).singleElement()
			.satisfies((dead) -> assertThat(dead.example().state()).isEqualTo(MessageState.DEAD));
	}

	@Test
	void whereNothingHasFailedThereIsNoGroup() {
		this.tables.commit("a", "a", "b");
		this.tables.stall("id = 1");
		this.operator.retry(MessageSelection.all());
		assertThat(this.operator.groups()).isEqualTo(new FailureGroups(List.of(), false));
	}

	@Test
	void oneVerbIsEnoughForAGroupHoweverManyOthersAreBetween() {
		this.tables.fill(1_300, 1_300);
		this.tables.block("TRUE");
		error("exchange = 'shop', last_error = CONCAT('order ', id, ' is locked')", "id <= 3 OR id > 1290");
		String group = "exchange 'shop': order # is locked";
		assertThat(this.operator.groups().more()).as("not all were looked at").isTrue();
		assertThat(this.operator.dryRun(OperatorVerb.SKIP, MessageSelection.group(group)).affected()).isEqualTo(13);
		assertThat(this.operator.retry(MessageSelection.group(group))).extracting(VerbResult::affected).isEqualTo(13L);
		assertThat(this.tables.jdbc()
			.sql("SELECT COUNT(*) FROM outbox_message WHERE failed_at IS NOT NULL")
			.query(Long.class)
			.single()).isEqualTo(1_287);
		assertThat(this.operator.retry(MessageSelection.group(group)).affected()).isZero();
	}

	@Test
	void inUnorderedModeAGroupConsistsOfMessages() {
		this.tables.commit("a", "a", "a", "b");
		this.tables.blockEach("id < 4");
		FailureGroup group = this.unordered.groups().groups().get(0);
		assertThat(group.keys()).isEqualTo(3);
		assertThat(this.unordered.skip(MessageSelection.group(group.group())).affected()).isEqualTo(3);
		assertThat(this.unordered.requeue(MessageSelection.group(group.group())).affected()).isEqualTo(3);
		assertThat(this.tables.depth()).isEqualTo(4);
	}

	@Test
	void deadLettersOfAGroupAreDiscardedAndNoOthers() {
		this.tables.fill(1_200, 1_200);
		this.tables.block("TRUE");
		error("last_error = CONCAT('order ', id, ' is locked')", "id % 100 = 0");
		this.operator.skip(MessageSelection.all());
		assertThat(this.operator.discard(MessageSelection.group("queue 'nowhere': order # is locked")).affected())
			.isEqualTo(12);
		assertThat(this.tables.column(Long.class, "id", "outbox_dead_letter")).hasSize(1_188);
	}

	@ParameterizedTest
	@EnumSource(names = { "STALLED", "BLOCKED", "DEAD" })
	void theMessagesOfAGroupAreListedPageByPage(MessageState state) {
		this.tables.fill(30, 30);
		if (state == MessageState.STALLED) {
			this.tables.stall("TRUE");
		}
		else {
			this.tables.block("TRUE");
		}
		error("last_error = CONCAT('order ', id, ' is locked')", "id % 4 = 0");
		if (state == MessageState.DEAD) {
			this.operator.skip(MessageSelection.all());
		}
		MessageSelection group = MessageSelection.group("queue 'nowhere': order # is locked");
		OutboxPage first = this.operator.list(state, group, null, 4);
		OutboxPage second = this.operator.list(state, group, first.next(), 4);
		assertThat(Stream.of(first, second).flatMap((page) -> page.messages().stream()))
			.extracting(MessageSummary::lastError)
			.containsExactlyInAnyOrder("order 4 is locked", "order 8 is locked", "order 12 is locked",
					"order 16 is locked", "order 20 is locked", "order 24 is locked", "order 28 is locked");
		assertThat(second.next()).isNull();
	}

	@ParameterizedTest
	@EnumSource(names = { "PENDING", "DUE", "ARCHIVED" })
	void whatHasNotFailedBelongsToNoGroup(MessageState state) {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.operator.list(state, MessageSelection.group("x"), null, 4))
			.withMessageContaining("the state must be stalled, blocked or dead");
		assertThatIllegalArgumentException().isThrownBy(() -> MessageSelection.group(" "));
	}

	@Test
	void asManyKeysAreLookedAtAsForTheFigures() {
		this.tables.fill(OutboxFigures.MAX_FAILED + 1, OutboxFigures.MAX_FAILED + 1);
		this.tables.stall("id <= " + OutboxFigures.MAX_FAILED);
		assertThat(this.operator.groups().more()).isFalse();
		this.tables.stall("lane >= 0");
		FailureGroups groups = this.operator.groups();
		assertThat(groups.more()).isTrue();
		assertThat(groups.groups()).extracting(FailureGroup::keys).containsExactly((long) OutboxFigures.MAX_FAILED);
	}

	@Test
	void asManyCausesAsMessagesAreNotAllTold() {
		this.tables.fill(300, 300);
		this.tables.stall("TRUE");
		String letters = Servers.database()
			.choose("CHAR(65 + id % 26), CHAR(65 + FLOOR(id / 26))",
					"CHR(CAST(65 + id % 26 AS INT)), CHR(CAST(65 + id / 26 AS INT))");
		error("last_error = CONCAT('failed: ', " + letters + ")", "id > 10");
		FailureGroups groups = this.operator.groups();
		assertThat(groups.groups()).hasSize(FailureGroups.MAX_GROUPS)
			.first()
			.extracting(FailureGroup::keys)
			.isEqualTo(10L);
		assertThat(groups.more()).isTrue();
	}

	private void error(String set, String condition) {
		this.tables.jdbc().sql("UPDATE outbox_message SET %s WHERE %s".formatted(set, condition)).update();
	}

}
