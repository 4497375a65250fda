package io.orderedoutbox.store;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.jdbc.core.simple.JdbcClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * No statement that locks touches rows that it was not given, however small the table is
 * and however much of it the list covers: another worker would find them locked, pass
 * over them, and nobody would wake it again.
 */
class NearlyEmptyOutboxTests {

	private static final List<Long> ONE = List.of(1L);

	private static final List<Long> MANY = IntStream.rangeClosed(1, 300).mapToObj(Long::valueOf).toList();

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 2, 5, 300 })
	void everyLockIsTakenByPrimaryKey(int rows) {
		Database database = Servers.database().fresh();
		try (OutboxApplication application = OutboxApplication.on(database).withoutRelay().start()) {
			application.inTransaction(
					(outbox) -> IntStream.range(0, rows).forEach((i) -> outbox.publish(new OrderPlaced("a", i))));
			OutboxDatabase outbox = application.bean(OutboxDatabase.class);
			OutboxStatements statements = outbox.statements();
			Explain explain = new Explain(JdbcClient.create(outbox.jdbc()), statements.dialect());
			Object[] message = { "01a1f9e6-108b-7474-9246-6dc61b7dc692", "order.placed", "a", "", "nowhere",
					"text/plain", "eA==", null, 7 };
			assertThat(List.of(statements.lockAndInsert, statements.keptLockAndInsert))
				.allSatisfy((statement) -> assertThat(explain.accesses(statement, message)).containsEntry("s",
						"const PRIMARY"));
			for (List<Long> ids : List.of(ONE, MANY)) {
				String list = ids.toString();
				String failures = ids.stream()
					.map("{\"id\": %d, \"delay\": 1, \"error\": \"\"}"::formatted)
					.toList()
					.toString();
				List<Map<String, String>> plans = List.of(explain.accesses(statements.lock, list, 10),
						explain.accesses(statements.lockAndLoad, list, 10), explain.accesses(statements.delete, list),
						explain.accesses(statements.fail, failures), explain.accesses(statements.lockStripes, list));
				if (rows > 0 && statements.dialect().hasExactRanges()) {
					StretchStatements stretches = statements.stretches;
					Object[] range = { ids.get(0), ids.get(ids.size() - 1), ids.size() };
					assertThat(explain.accesses(stretches.delete, range))
						.containsExactly(Map.entry("outbox_message", "range PRIMARY"));
					// To read a single row is no range
					String access = (ids.size() > 1) ? "range PRIMARY" : "const PRIMARY";
					assertThat(List.of(stretches.lock, stretches.lockAndLoad))
						.allSatisfy((statement) -> assertThat(explain.accesses(statement, range))
							.containsExactly(Map.entry("m", access)));
				}
				assertThat(plans).allSatisfy((plan) -> assertThat(plan.values()).containsExactly("eq_ref PRIMARY"));
			}
		}
	}

}
