/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.servers;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@Tag("unit")
class DatabaseTests {

	@Test
	void theSchemaOfAUrlIsReplacedAndItsOptionsStay() {
		assertThat(Database.withSchema("jdbc:mysql://db:3306/outbox?sslMode=DISABLED&a=b/c", "fresh"))
			.isEqualTo("jdbc:mysql://db:3306/fresh?sslMode=DISABLED&a=b/c");
	}

	@Test
	void aSchemaIsAddedToAUrlWithoutOne() {
		assertThat(Database.withSchema("jdbc:mysql://db", "fresh")).isEqualTo("jdbc:mysql://db/fresh");
		assertThat(Database.withSchema("jdbc:mysql://db?a=b", "fresh")).isEqualTo("jdbc:mysql://db/fresh?a=b");
	}

	@Test
	void aSchemaOfPostgreSqlIsAnOptionOfTheUrl() {
		assertThat(Database.withSchema("jdbc:postgresql://db/outbox", "fresh"))
			.isEqualTo("jdbc:postgresql://db/outbox?currentSchema=fresh");
		assertThat(Database.withSchema("jdbc:postgresql://db/outbox?a=b", "fresh"))
			.isEqualTo("jdbc:postgresql://db/outbox?a=b&currentSchema=fresh");
	}

	@Test
	void theUrlTellsPostgreSqlFromTheOthers() {
		Database database = new Database(ServerKind.ENVIRONMENT, "jdbc:postgresql://db/outbox", "me", "me", "15.18");
		assertThat(database.platform()).isEqualTo("postgresql");
		assertThat(database.isMySql()).isFalse();
		assertThat(database.describe()).isEqualTo("PostgreSQL 15.18 at jdbc:postgresql://db/outbox");
		assertThat(withVersion("11.4.5-MariaDB").platform()).isEqualTo("mariadb");
	}

	@Test
	void aUrlOfAnotherFormIsRefused() {
		assertThatIllegalStateException().isThrownBy(() -> Database.withSchema("jdbc:h2:mem:test", "fresh"))
			.withMessageContaining("jdbc:h2:mem:test");
	}

	@Test
	void theVersionTellsMySqlFromMariaDb() {
		assertThat(withVersion("9.7.4").isMySql()).isTrue();
		assertThat(withVersion("11.4.5-MariaDB").isMySql()).isFalse();
	}

	@Test
	void anAddressWhereNothingListensIsAnErrorThatNamesIt() {
		assertThatIllegalStateException()
			.isThrownBy(() -> Database.connect(ServerKind.ENVIRONMENT, "jdbc:mysql://127.0.0.1:1/outbox", "me", "me"))
			.withMessageContaining("127.0.0.1:1")
			.withMessageContaining("OUTBOX_MYSQL_URL");
	}

	@Test
	void aBrokerThatDoesNotListenIsAnErrorThatNamesIt() {
		assertThatIllegalStateException()
			.isThrownBy(() -> Broker.connect(ServerKind.ENVIRONMENT, "127.0.0.1", 1, "me", "me"))
			.withMessageContaining("127.0.0.1:1")
			.withMessageContaining("OUTBOX_RABBITMQ_HOST");
	}

	private static Database withVersion(String version) {
		return new Database(ServerKind.ENVIRONMENT, "jdbc:mysql://db/outbox", "me", "me", version);
	}

}
