/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.servers;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

class RequiredServerTests {

	@Test
	void rabbitMqIsEnough() {
		Broker broker = new Broker(ServerKind.DOCKER, "localhost", 5672, "guest", "guest", "RabbitMQ 4.3.6");
		assertThat(RequiresRabbitMqCondition.evaluate(broker).isDisabled()).isFalse();
	}

	@Test
	void anotherBrokerIsAReasonToSkip() {
		Broker broker = new Broker(ServerKind.EMBEDDED, "127.0.0.1", 5672, "guest", "guest", "qpid 10.1.0");
		ConditionEvaluationResult result = RequiresRabbitMqCondition.evaluate(broker);
		assertThat(result.isDisabled()).isTrue();
		assertThat(result.getReason()).get().asString().contains("needs RabbitMQ, has qpid 10.1.0");
	}

	@Test
	void mySqlIsEnough() {
		Database database = new Database(ServerKind.DOCKER, "jdbc:mysql://db/outbox", "me", "me", "9.7.4");
		assertThat(RequiresMySqlCondition.evaluate(database).isDisabled()).isFalse();
	}

	@Test
	void mariaDbIsAReasonToSkip() {
		Database database = new Database(ServerKind.EMBEDDED, "jdbc:mysql://db/outbox", "me", "me", "11.4.5-MariaDB");
		ConditionEvaluationResult result = RequiresMySqlCondition.evaluate(database);
		assertThat(result.isDisabled()).isTrue();
		assertThat(result.getReason()).get().asString().contains("needs MySQL, has MariaDB 11.4.5");
	}

	@Test
	void postgreSqlIsEnough() {
		Database database = new Database(ServerKind.ENVIRONMENT, "jdbc:postgresql://db/outbox", "me", "me", "15.18");
		assertThat(RequiresPostgreSqlCondition.evaluate(database).isDisabled()).isFalse();
		assertThat(RequiresMySqlCondition.evaluate(database).isDisabled()).isTrue();
	}

	@Test
	void mySqlIsNoPostgreSql() {
		Database database = new Database(ServerKind.DOCKER, "jdbc:mysql://db/outbox", "me", "me", "9.7.4");
		ConditionEvaluationResult result = RequiresPostgreSqlCondition.evaluate(database);
		assertThat(result.isDisabled()).isTrue();
		assertThat(result.getReason()).get()
			.asString()
			.contains("needs PostgreSQL, has MySQL 9.7.4", "OUTBOX_TEST_DATABASE=postgresql");
	}

	@Test
	void aMarkedTestRunsOrIsReportedAsSkipped() {
		Database database = Servers.database();
		int expected = (Servers.broker().isRabbitMq() ? 1 : 0) + (database.isMySql() ? 1 : 0)
				+ (database.isPostgreSql() ? 1 : 0);
		Events tests = EngineTestKit.engine("junit-jupiter")
			.selectors(selectClass(Marked.class))
			.execute()
			.testEvents();
		tests.assertStatistics((statistics) -> statistics.succeeded(expected).skipped(3 - expected).failed(0));
	}

	static class Marked {

		@Test
		@RequiresRabbitMq
		void onlyOnRabbitMq() {
			assertThat(Servers.broker().isRabbitMq()).isTrue();
		}

		@Test
		@RequiresMySql
		void onlyOnMySql() {
			assertThat(Servers.database().isMySql()).isTrue();
		}

		@Test
		@RequiresPostgreSql
		void onlyOnPostgreSql() {
			assertThat(Servers.database().isPostgreSql()).isTrue();
		}

	}

}
