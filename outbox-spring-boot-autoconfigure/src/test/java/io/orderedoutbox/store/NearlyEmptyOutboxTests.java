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
			String explain = database.isMySql() ? "EXPLAIN FORMAT=TRADITIONAL " : "EXPLAIN ";
			for (List<Long> ids : List.of(ONE, MANY)) {
				String list = ids.toString();
				String failures = ids.stream()
					.map("{\"id\": %d, \"delay\": 1, \"error\": \"\"}"::formatted)
					.toList()
					.toString();
				List<List<Map<String, Object>>> plans = List.of(
						outbox.jdbc().queryForList(explain + statements.lock, list, 10),
						outbox.jdbc().queryForList(explain + statements.delete, list),
						outbox.jdbc().queryForList(explain + statements.fail, failures),
						outbox.jdbc().queryForList(explain + statements.lockStripes, list));
				assertThat(plans).allSatisfy((plan) -> {
					assertThat(plan).hasSize(2);
					assertThat(plan.get(1)).containsEntry("type", "eq_ref").containsEntry("key", "PRIMARY");
				});
			}
		}
	}

}
