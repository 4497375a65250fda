/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.admin;

import java.util.List;
import java.util.Map;

import io.orderedoutbox.admin.MessageSelection;
import io.orderedoutbox.admin.MessageState;
import io.orderedoutbox.admin.OperatorVerb;
import io.orderedoutbox.admin.OutboxAdministration;
import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.Business;
import io.orderedoutbox.testing.FailedKey;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.SqlLog;
import io.orderedoutbox.testing.StoredRow;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A verb and the transaction that its caller is in have nothing to do with one another.
 */
@Timeout(90)
@ExtendWith(OutputCaptureExtension.class)
class OperatorTransactionTests {

	// How a session gets back what it had
	private static final String RESTORED = Servers.database()
		.choose("set session wait_timeout", "select set_config\\('idle_in_transaction_session_timeout', current");

	private static OutboxApplication application(boolean jpa) {
		OutboxApplication.Builder builder = OutboxApplication.on(Servers.database().fresh()).withoutRelay();
		return (jpa ? builder.withJpa() : builder).start();
	}

	private static void blockAll(OutboxApplication application) {
		application.rows()
			.stream()
			.map(StoredRow::partitionKey)
			.distinct()
			.forEach((key) -> FailedKey.fail(application.jdbc(), key, FailedKey.NEVER));
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void whatAVerbDidStaysWhenTheCallerRollsBackAndNothingOfTheCallerIsCommitted(boolean jpa) {
		try (OutboxApplication application = application(jpa)) {
			Business business = Business.in(application.jdbc());
			OutboxAdministration operator = application.bean(OutboxAdministration.class);
			application.publish(new OrderPlaced("a", 1), new OrderPlaced("a", 2));
			blockAll(application);
			application.transaction().executeWithoutResult((status) -> {
				business.write("rolled back");
				application.outbox().publish(new OrderPlaced("b", 1));
				assertThat(operator.list(MessageState.BLOCKED, MessageSelection.all(), null, 10).messages()).hasSize(1);
				assertThat(operator.skip(MessageSelection.all()).affected()).isEqualTo(1);
				business.write("rolled back as well");
				status.setRollbackOnly();
			});
			assertThat(business.notes()).isEmpty();
			assertThat(application.rows()).extracting("partitionKey").containsExactly("a");
			assertThat(operator.list(MessageState.DEAD, MessageSelection.all(), null, 10).messages()).hasSize(1);
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void theTransactionOfTheCallerGoesOnAfterAVerb(boolean jpa) {
		try (OutboxApplication application = application(jpa)) {
			Business business = Business.in(application.jdbc());
			OutboxAdministration operator = application.bean(OutboxAdministration.class);
			application.publish(new OrderPlaced("a", 1));
			blockAll(application);
			application.transaction().executeWithoutResult((status) -> {
				business.write("before");
				operator.retry(MessageSelection.all());
				business.write("after");
				application.outbox().publish(new OrderPlaced("b", 1));
			});
			assertThat(business.notes()).containsExactly("before", "after");
			assertThat(application.rows()).extracting("partitionKey").containsExactly("a", "b");
		}
	}

	@Test
	void aTransactionWithoutDatabaseIsLeftInPeace() {
		try (OutboxApplication application = application(false)) {
			application.publish(new OrderPlaced("a", 1));
			blockAll(application);
			TransactionTemplate supports = new TransactionTemplate(application.transaction().getTransactionManager());
			Map<Object, Object> before = TransactionSynchronizationManager.getResourceMap();
			supports.setPropagationBehavior(TransactionTemplate.PROPAGATION_SUPPORTS);
			supports.executeWithoutResult((status) -> {
				assertThat(application.depth()).isEqualTo(1);
				assertThat(TransactionSynchronizationManager.getResourceMap()).hasSizeGreaterThan(before.size());
				assertThat(application.bean(OutboxAdministration.class).skip(MessageSelection.all()).affected())
					.isOne();
				assertThat(application.depth()).isZero();
			});
			assertThat(TransactionSynchronizationManager.getResourceMap()).isEqualTo(before);
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void theSessionIsAsBefore(boolean fails) {
		try (OutboxApplication application = OutboxApplication.on(Servers.database().fresh())
			.withoutRelay()
			.with("spring.datasource.hikari.maximum-pool-size", 1)
			.start()) {
			application.publish(new OrderPlaced("a", 1));
			blockAll(application);
			List<String> before = session(application);
			if (fails) {
				application.jdbc().sql("ALTER TABLE outbox_dead_letter RENAME TO elsewhere").update();
				assertThatExceptionOfType(DataAccessException.class)
					.isThrownBy(() -> application.bean(OutboxAdministration.class).skip(MessageSelection.all()));
				assertThat(application.depth()).isEqualTo(1);
			}
			else {
				application.bean(OutboxAdministration.class).skip(MessageSelection.all());
				assertThat(application.depth()).isZero();
			}
			assertThat(session(application)).isEqualTo(before);
		}
	}

	@Test
	void theSessionIsAsBeforeWhenAPartitionCouldNotBeLocked() {
		Database database = Servers.database().fresh();
		try (OutboxApplication other = OutboxApplication.on(database).withoutRelay().start();
				OutboxApplication application = OutboxApplication.on(database)
					.withoutRelay()
					.with("spring.datasource.hikari.maximum-pool-size", 1)
					.start()) {
			application.publish(new OrderPlaced("a", 1));
			blockAll(application);
			List<String> before = session(application);
			other.transaction().executeWithoutResult((status) -> {
				other.jdbc().sql("SELECT id FROM outbox_partition FOR UPDATE").query().listOfRows();
				assertThat(application.bean(OutboxAdministration.class).skip(MessageSelection.all()).passedOver())
					.isOne();
			});
			assertThat(session(application)).isEqualTo(before);
			assertThat(application.bean(OutboxAdministration.class).skip(MessageSelection.all()).affected()).isOne();
		}
	}

	@Test
	void theSessionIsRestoredWhenTheLocksAreGoneAndNotBefore() {
		try (OutboxApplication application = OutboxApplication.on(Servers.database().fresh())
			.withoutRelay()
			.withSqlLog()
			.start()) {
			application.publish(new OrderPlaced("a", 1));
			blockAll(application);
			List<String> statements = SqlLog
				.of(() -> application.bean(OutboxAdministration.class).skip(MessageSelection.all()));
			List<String> ends = statements.stream()
				.filter((statement) -> statement
					.matches("(?s)(commit|delete m |delete from outbox_message m |%s).*".formatted(RESTORED)))
				.map((statement) -> statement.replaceAll("(?s) .*", ""))
				.toList();
			String restore = Servers.database().choose("set", "select");
			assertThat(ends).containsSubsequence("delete", "commit", restore);
			assertThat(ends.subList(ends.indexOf("delete"), ends.size())).startsWith("delete", "commit", restore);
		}
	}

	private static List<String> session(OutboxApplication application) {
		return application.jdbc()
			.sql(Servers.database()
				.choose("""
						SHOW SESSION VARIABLES WHERE Variable_name IN
						('wait_timeout', 'autocommit', 'transaction_isolation', 'tx_isolation', 'innodb_lock_wait_timeout')""",
						"""
								SELECT name, setting FROM pg_settings WHERE name LIKE '%timeout' OR name LIKE '%transaction_isolation'
								OR name LIKE 'enable%' ORDER BY name"""))
			.query((row, index) -> row.getString(1) + "=" + row.getString(2))
			.list();
	}

	@Test
	void aVerbIsLoggedOnceAndADryRunIsNot(CapturedOutput output) {
		try (OutboxApplication application = application(false)) {
			OutboxAdministration operator = application.bean(OutboxAdministration.class);
			application.publish(new OrderPlaced("a\nb", 1));
			blockAll(application);
			operator.dryRun(OperatorVerb.RETRY, MessageSelection.all());
			assertThat(output).doesNotContain("Outbox RETRY");
			operator.retry(MessageSelection.key("a\nb"));
			assertThat(output).containsOnlyOnce("Outbox RETRY")
				.contains("Outbox RETRY of key 'a?b': 1 message(s), 0 passed over");
		}
	}

	@Test
	void aVerbThatIsBrokenOffSaysHowFarItCame(CapturedOutput output) {
		try (OutboxApplication application = application(false)) {
			application.publish(new OrderPlaced("a", 1), new OrderPlaced("b", 1));
			blockAll(application);
			String payload = Servers.database()
				.choose("REPEAT('x', 5000000)", "convert_to(REPEAT('x', 5000000), 'UTF8')");
			application.jdbc().sql("UPDATE outbox_message SET payload = " + payload).update();
			OutboxAdministration operator = new JdbcOutboxAdministration(application.bean(OutboxDatabase.class), true,
					(partitions) -> application.jdbc()
						.sql("ALTER TABLE outbox_dead_letter RENAME TO elsewhere")
						.update());
			assertThatExceptionOfType(DataAccessException.class)
				.isThrownBy(() -> operator.skip(MessageSelection.all()));
			assertThat(output).contains("Outbox SKIP of all has failed after 1 message(s)");
			assertThat(application.depth()).isEqualTo(1);
		}
	}

}
