/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc;

import java.util.List;

import io.orderedoutbox.jdbc.MeasuredPlan.Read;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The statements of a writer find each stripe by its primary key, whether the database
 * knows how many there are or not: what it reads it locks.
 */
class WritePlanTests {

	private static final Object[] ROW = { "00000000-0000-0000-0000-000000000000", "name", "a", "e", "r", "text/plain",
			"eA==", null, 3 };

	@BeforeAll
	static void skip() {
		OutboxTables.skipOnPostgreSql("it locks only what a statement returns, and explains its plans in another way");
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void everyStripeIsFoundByPrimaryKey(boolean fresh) {
		try (OutboxTables tables = new OutboxTables()) {
			if (fresh) {
				tables.jdbc().sql("ANALYZE TABLE outbox_stripe, outbox_message").query().listOfRows();
			}
			WriteStatements statements = new OutboxDatabase(tables.writer(), "outbox_").writing();
			Explain explain = tables.explain();
			assertThat(explain.accesses(statements.lockStripes, "[3]")).containsOnlyKeys("s")
				.containsEntry("s", "eq_ref PRIMARY");
			assertThat(explain.accesses(statements.lockStripes, "[3, 9, 40]")).containsEntry("s", "eq_ref PRIMARY");
			for (String statement : List.of(statements.lockAndInsert, statements.insertIfFree)) {
				assertThat(explain.accesses(statement, ROW)).as(statement)
					.containsOnlyKeys("s")
					.containsEntry("s", "const PRIMARY");
			}
			assertThat(explain.accesses(statements.lockFreeStripe, 3)).containsOnlyKeys("outbox_stripe")
				.containsEntry("outbox_stripe", "range PRIMARY");
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 3, 63 })
	void aFreeStripeIsTheOnlyOneThatIsRead(int first) {
		try (OutboxTables tables = new OutboxTables()) {
			WriteStatements statements = new OutboxDatabase(tables.writer(), "outbox_").writing();
			new TransactionTemplate(new DataSourceTransactionManager(tables.writer()))
				.executeWithoutResult((status) -> {
					MeasuredPlan plan = tables.explain().measure(statements.lockFreeStripe, first);
					assertThat(plan.isMeasured()).isTrue();
					assertThat(plan.reads()).as(plan.text()).extracting(Read::rows).containsExactly(1L);
					assertThat(plan.sorts()).isEmpty();
				});
		}
	}

}
