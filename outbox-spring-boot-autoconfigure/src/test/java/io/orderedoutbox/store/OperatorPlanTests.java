package io.orderedoutbox.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

import io.orderedoutbox.MessageSelection;
import io.orderedoutbox.servers.RequiresMySql;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * No statement of an operator reads the outbox from one end to the other, whether it is
 * small or large and whether little of it has failed or nearly all.
 */
@RequiresMySql
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(120)
class OperatorPlanTests {

	private static final int SMALL = 50;

	private static final int LARGE = 100_000;

	private static final String TIME = "2100-01-01 00:00:00.000000";

	private OutboxTables small;

	private OutboxTables large;

	@BeforeAll
	void fill() {
		this.small = filled(SMALL, "id > 5");
		this.large = filled(LARGE, "id % 100 = 0");
	}

	private static OutboxTables filled(int messages, String failed) {
		OutboxTables tables = new OutboxTables();
		tables.fill(messages, messages / 5);
		tables.stall("id <= 5");
		tables.operator(false, () -> {
		}).skip(MessageSelection.all());
		tables.stall(failed);
		tables.jdbc().sql("ANALYZE TABLE outbox_message, outbox_failed, outbox_dead_letter").query().listOfRows();
		return tables;
	}

	@AfterAll
	void close() {
		this.small.close();
		this.large.close();
	}

	private OutboxTables tables(int messages) {
		return (messages == SMALL) ? this.small : this.large;
	}

	private static List<MessageSelection> selections() {
		return List.of(MessageSelection.message("x"), MessageSelection.key("filler-7"), MessageSelection.withoutKey(),
				MessageSelection.name("order.placed"), MessageSelection.all());
	}

	private static Object[] arguments(MessageSelection selection, Object... before) {
		List<Object> arguments = new ArrayList<>(List.of(before));
		arguments.addAll(AdministrationStatements.value(selection));
		arguments.add(100);
		return arguments.toArray();
	}

	@ParameterizedTest
	@ValueSource(ints = { SMALL, LARGE })
	void messagesAreFoundByTheListOfWhatHasFailed(int messages) {
		AdministrationStatements statements = statements(messages);
		for (MessageSelection selection : selections()) {
			Map<String, String> look = plan(messages, statements.stuckMessages(selection).look(),
					arguments(selection, 0, TIME));
			Map<String, String> list = plan(messages, statements.listStuck(selection),
					arguments(selection, 0, messages, 0));
			assertThat(List.of(look, list)).as(selection.toString())
				.allSatisfy((plan) -> assertThat(plan).containsEntry("f", "range PRIMARY")
					.containsEntry("m", "eq_ref PRIMARY")
					.containsEntry("e", "ref outbox_message_key")
					.hasSize(3));
		}
		assertThat(plan(messages, statements.stretchOfFailed, 0, 1000)).containsEntry("outbox_failed", "range PRIMARY");
		assertThat(plan(messages, statements.countBehind(), "filler-7", 0, 1000)).containsEntry("outbox_message",
				"range outbox_message_key");
	}

	@ParameterizedTest
	@ValueSource(ints = { SMALL, LARGE })
	void deadLettersAreFoundByTheIndexOfTheSelection(int messages) {
		AdministrationStatements statements = statements(messages);
		Map<MessageSelection.By, String> indexes = Map.of(MessageSelection.By.MESSAGE_ID, "outbox_dead_letter_message",
				MessageSelection.By.PARTITION_KEY, "outbox_dead_letter_key", MessageSelection.By.NAME,
				"outbox_dead_letter_name", MessageSelection.By.NOTHING, "PRIMARY");
		for (MessageSelection selection : selections()) {
			Map<String, String> look = plan(messages, statements.deadLetters(selection).look(),
					arguments(selection, 0, TIME));
			Map<String, String> list = plan(messages, statements.listDeadLetters(selection), arguments(selection, 0));
			assertThat(List.of(look, list)).as(selection.toString())
				.allSatisfy((plan) -> assertThat(plan.get("d")).endsWith(" " + indexes.get(selection.by()))
					.doesNotStartWith("ALL")
					.doesNotStartWith("index "));
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { SMALL, LARGE })
	void whatIsLockedOrChangedIsLookedUpByPrimaryKey(int messages) {
		AdministrationStatements statements = statements(messages);
		String ids = LongStream.rangeClosed(1, 500).boxed().toList().toString();
		Aim stuck = statements.stuckMessages(MessageSelection.all());
		assertThat(plan(messages, stuck.lock(), ids)).containsEntry("m", "eq_ref PRIMARY");
		assertThat(plan(messages, stuck.there(), ids)).containsEntry("m", "eq_ref PRIMARY");
		assertThat(plan(messages, stuck.verify(), ids, TIME)).containsEntry("m", "eq_ref PRIMARY")
			.containsEntry("e", "ref outbox_message_key");
		assertThat(plan(messages, statements.retry, ids)).containsEntry("m", "eq_ref PRIMARY");
		Aim dead = statements.deadLetters(MessageSelection.all());
		assertThat(plan(messages, dead.lock(), ids)).containsEntry("d", "eq_ref PRIMARY");
		assertThat(plan(messages, dead.there(), ids)).containsEntry("d", "eq_ref PRIMARY");
		assertThat(plan(messages, dead.verify(), ids, TIME)).containsEntry("d", "eq_ref PRIMARY");
		assertThat(plan(messages, statements.discard, ids)).containsEntry("d", "eq_ref PRIMARY");
		assertThat(plan(messages, statements.requeue, ids)).containsEntry("d", "eq_ref PRIMARY");
	}

	@Test
	void payloadsAreNotSortedWhenTheyAreRequeued() {
		String tree = this.large.explain().tree(statements(LARGE).requeue, "[1, 2, 3]");
		assertThat(tree)
			.containsSubsequence("Nested loop", "Materialize table function",
					"Single-row index lookup on d using PRIMARY")
			.doesNotContain("Temporary table");
	}

	private AdministrationStatements statements(int messages) {
		return new AdministrationStatements(tables(messages).statements().dialect(), "outbox_", true);
	}

	private Map<String, String> plan(int messages, String statement, Object... arguments) {
		return tables(messages).explain().accesses(statement, arguments);
	}

}
