package io.orderedoutbox.inbox;

import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OutboxApplication;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Who makes the table of the inbox, and what it must be.
 */
class InboxCheckTests {

	private final Database database = Servers.database().fresh();

	private final JdbcClient jdbc = JdbcClient.create(
			new DriverManagerDataSource(this.database.jdbcUrl(), this.database.username(), this.database.password()));

	@Test
	void withoutItsTableAnApplicationDoesNotStart() {
		assertRefused("inbox_message", "missing");
	}

	@Test
	void norDoesTheChildOfAnotherContext() {
		try (AnnotationConfigApplicationContext parent = new AnnotationConfigApplicationContext()) {
			parent.refresh();
			assertThatExceptionOfType(OutboxConfigurationException.class)
				.isThrownBy(() -> application().childOf(parent).start().close())
				.withMessageContaining("missing");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = {
			"consumer VARCHAR(100), message_id VARCHAR(255) COLLATE utf8mb4_general_ci, processing_id BIGINT, processed_at DATETIME(6), PRIMARY KEY (consumer, message_id)",
			"consumer VARCHAR(100), message_id VARCHAR(255) COLLATE utf8mb4_bin, processing_id BIGINT, processed_at DATETIME(6), PRIMARY KEY (consumer, message_id)",
			"consumer VARCHAR(100), message_id VARBINARY(255), processing_id BIGINT, processed_at DATETIME(6), PRIMARY KEY (message_id)" })
	void aTableInWhichDifferentMessagesAreEqualIsRefused(String columns) {
		this.jdbc.sql("CREATE TABLE inbox_message (%s) CHARACTER SET utf8mb4".formatted(columns)).update();
		assertRefused("inbox_message", "primary key (consumer, message_id)");
	}

	@Test
	void aTableWithoutAColumnIsRefused() {
		this.jdbc.sql(
				"CREATE TABLE inbox_message (consumer VARBINARY(100), message_id VARBINARY(255), processing_id BIGINT)")
			.update();
		assertRefused("inbox_message", "processed_at");
	}

	@Test
	void aTableWithoutItsIndexIsRefusedWithTheStatementThatAddsIt() {
		application().with("outbox.inbox.initialize-schema", "always").start().close();
		this.jdbc.sql("ALTER TABLE inbox_message DROP KEY inbox_message_age").update();
		assertRefused("has no index 'inbox_message_age' (processed_at)",
				"ALTER TABLE inbox_message ADD KEY inbox_message_age (processed_at);");
	}

	@Test
	void aTableOfANewerVersionIsRefused() {
		application().with("outbox.inbox.initialize-schema", "always").start().close();
		this.jdbc.sql("ALTER TABLE inbox_message COMMENT = 'inbox schema 2'").update();
		assertThatExceptionOfType(OutboxConfigurationException.class).isThrownBy(() -> application().start().close())
			.withMessageContainingAll("'inbox_message'", "schema 2", "works with schema 1");
	}

	@Test
	void theTableCanHaveAnotherName() {
		try (OutboxApplication application = application().with("outbox.inbox.initialize-schema", "always")
			.with("outbox.inbox.table", "shop_processed")
			.start()) {
			assertThat(application.bean(Inbox.class).process("billing", "m1", () -> {
			})).isTrue();
			assertThat(this.jdbc.sql("SELECT COUNT(*) FROM shop_processed").query(Integer.class).single()).isOne();
		}
		application().with("outbox.inbox.table", "shop_processed").start().close();
	}

	@Test
	void severalInstancesMakeTheTableTogether() {
		for (int i = 0; i < 2; i++) {
			application().with("outbox.inbox.initialize-schema", "always").start().close();
		}
		application().start().close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "PostgreSQL", "H2", "postgresql", "Microsoft SQL Server" })
	void aDatabaseThatIsNoneOfMySqlsFamilyIsRefusedByItsName(String product) {
		assertThatExceptionOfType(OutboxConfigurationException.class)
			.isThrownBy(() -> InboxCheck.requireSupported(product))
			.withMessageContainingAll(product, "MySQL 8.0.17", "MariaDB 10.6", "outbox.inbox.enabled=false");
	}

	private void assertRefused(String... words) {
		assertThatExceptionOfType(OutboxConfigurationException.class).isThrownBy(() -> application().start().close())
			.withMessageContainingAll(words)
			.withMessageContaining("outbox.inbox.initialize-schema=always");
	}

	private OutboxApplication.Builder application() {
		return OutboxApplication.on(this.database).withoutRelay().with("outbox.inbox.enabled", true);
	}

}
