package io.orderedoutbox.store;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

import io.orderedoutbox.servers.RequiresMySql;
import io.orderedoutbox.store.OutboxTables.Worker;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every statement finds its rows by an index, on a table so small that the optimizer
 * would rather scan it as on a large one; and no more is locked than is claimed.
 */
@RequiresMySql
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(120)
class StatementPlanTests {

	private static final int SMALL = 50;

	private static final int LARGE = 100_000;

	private OutboxTables small;

	private OutboxTables large;

	@BeforeAll
	void fill() {
		this.small = filled(SMALL);
		this.large = filled(LARGE);
	}

	private static OutboxTables filled(int messages) {
		OutboxTables tables = new OutboxTables();
		tables.fill(messages - messages / 5, messages / 5);
		tables.fillWith(messages / 5, "");
		tables.jdbc().sql("ANALYZE TABLE outbox_message, outbox_stripe").query().listOfRows();
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

	// As many as there are, up to a batch
	private static String ids(int messages) {
		return LongStream.rangeClosed(1, Math.min(messages, 1000)).boxed().toList().toString();
	}

	@ParameterizedTest
	@ValueSource(ints = { SMALL, LARGE })
	void everyStatementThatLocksLooksUpItsRowsByPrimaryKey(int messages) {
		OutboxTables tables = tables(messages);
		OutboxStatements statements = tables.statements();
		String failures = "[{\"id\": 1, \"delay\": 1, \"error\": \"x\"}, {\"id\": 2, \"delay\": 1, \"error\": \"x\"}]";
		assertThat(access(tables, statements.lock, "m", ids(messages), 1000)).isEqualTo("eq_ref PRIMARY");
		assertThat(access(tables, statements.lockAndLoad, "m", ids(messages), 1000)).isEqualTo("eq_ref PRIMARY");
		assertThat(access(tables, statements.delete, "m", ids(messages))).isEqualTo("eq_ref PRIMARY");
		assertThat(access(tables, statements.fail, "m", failures)).isEqualTo("eq_ref PRIMARY");
		for (int stripes : new int[] { 1, 300, 1024 }) {
			String ids = IntStream.range(0, stripes).boxed().toList().toString();
			assertThat(access(tables, statements.lockStripes, "s", ids)).isEqualTo("eq_ref PRIMARY");
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { SMALL, LARGE })
	void everyStatementThatReadsUsesAnIndex(int messages) {
		OutboxTables tables = tables(messages);
		OutboxStatements statements = tables.statements();
		assertThat(access(tables, statements.look, "outbox_message", 0, Long.MAX_VALUE, 1000))
			.isEqualTo("range PRIMARY");
		assertThat(access(tables, statements.load, "m", ids(messages), 1000)).isEqualTo("eq_ref PRIMARY");
		assertThat(access(tables, statements.verify, "m", ids(messages))).isEqualTo("eq_ref PRIMARY");
		assertThat(access(tables, statements.verify, "e", ids(messages))).isEqualTo("ref outbox_message_key");
		assertThat(access(tables, statements.lookForHeads, "m", "", 100)).isEqualTo("eq_ref PRIMARY");
		assertThat(access(tables, statements.lookForHeads, "outbox_message", "", 100))
			.isEqualTo("range outbox_message_key");
		assertThat(access(tables, statements.lookForKeyless, "outbox_message", 0, 100)).isIn("range outbox_message_key",
				"ref outbox_message_key");
	}

	private static @Nullable String access(OutboxTables tables, String statement, String table, Object... parameters) {
		return tables.explain().accesses(statement, parameters).get(table);
	}

	@ParameterizedTest
	@ValueSource(ints = { SMALL, LARGE })
	void aClaimLocksTheHeadsItOwnsAndWhatItDeletesAndNoGaps(int messages) {
		OutboxTables tables = tables(messages);
		ClaimSettings settings = new ClaimSettings(true, 20, DataSize.ofMegabytes(1), Duration.ofSeconds(20));
		Worker worker = tables.worker(settings);
		try (Claim claim = worker.next()) {
			List<Long> heads = claim.runs().stream().map((run) -> run.messages().get(0).id()).toList();
			assertThat(locks(tables)).containsOnlyKeys(heads).hasSizeGreaterThan(3);
			assertThat(locks(tables).values()).containsOnly("X,REC_NOT_GAP");
			worker.jdbc().sql(tables.statements().delete).param(Worker.ids(claim).toString()).update();
			assertThat(locks(tables)).containsOnlyKeys(Worker.ids(claim));
			assertThat(locks(tables).values()).containsOnly("X,REC_NOT_GAP");
		}
	}

	// Locked positions, and how
	private static Map<Long, String> locks(OutboxTables tables) {
		return tables.jdbc()
			.sql("""
					SELECT LOCK_DATA, LOCK_MODE FROM performance_schema.data_locks
					WHERE OBJECT_SCHEMA = ? AND LOCK_TYPE = 'RECORD'""")
			.param(tables.name())
			.query((row, index) -> Map.entry(row.getLong("LOCK_DATA"), row.getString("LOCK_MODE")))
			.stream()
			.distinct()
			.collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
	}

}
