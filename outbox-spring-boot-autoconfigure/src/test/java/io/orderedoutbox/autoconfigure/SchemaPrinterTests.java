/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure;

import io.orderedoutbox.inbox.InboxSchema;
import io.orderedoutbox.jdbc.OutboxSchema;
import io.orderedoutbox.once.HeadlessApplication;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.ServerKind;
import io.orderedoutbox.testing.ApplicationProcess;
import io.orderedoutbox.testing.ApplicationProcess.Ended;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application prints the script of its tables, and does nothing else.
 */
@Tag("slow")
class SchemaPrinterTests {

	// Whatever connects to it fails
	private static final Database NOWHERE = new Database(ServerKind.ENVIRONMENT, "jdbc:mysql://127.0.0.1:1/none",
			"nobody", "", "none");

	@Test
	void printsTheScriptWithTheNamesOfTheApplication() throws Exception {
		Ended ended = application("mysql").with("outbox.jdbc.table-prefix", "shop_outbox_")
			.with("outbox.partitions", 16)
			.run();
		assertThat(ended.exitCode()).isZero();
		assertThat(ended.output()).isEqualTo(OutboxSchema.script("mysql", "shop_outbox_", 16).text())
			.contains("CREATE TABLE IF NOT EXISTS shop_outbox_message", "WHERE i + 1 < 16)");
	}

	@Test
	void withTheInboxWhereThereIsOne() throws Exception {
		Ended ended = application("mariadb").with("outbox.inbox.enabled", true)
			.with("outbox.inbox.table", "processed")
			.with("outbox.inbox.dead-letter-table", "dead")
			.run();
		assertThat(ended.exitCode()).isZero();
		assertThat(ended.output()).isEqualTo(OutboxSchema.script("mariadb", "outbox_", 64).text() + "\n"
				+ new InboxSchema("mariadb", "processed", "dead").script().text());
	}

	@Test
	void printsTheScriptOfAnOutboxWithANameWhenItIsToldItsNames() throws Exception {
		Ended ended = application("mysql").with("outbox.enabled", false)
			.with("outbox.named.billing.jdbc.table-prefix", "billing_outbox_")
			.with("outbox.named.billing.partitions", 16)
			.with("outbox.inbox.enabled", false)
			.with("outbox.jdbc.table-prefix", "billing_outbox_")
			.with("outbox.partitions", 16)
			.run();
		assertThat(ended.exitCode()).isZero();
		assertThat(ended.output()).isEqualTo(OutboxSchema.script("mysql", "billing_outbox_", 16).text());
	}

	@Test
	void aPlatformWithoutScriptsIsABadOption() throws Exception {
		Ended ended = application("oracle").run();
		assertThat(ended.exitCode()).isEqualTo(2);
		assertThat(ended.output()).doesNotContain("CREATE TABLE").contains("'oracle'", "mariadb, mysql");
	}

	@ParameterizedTest
	@ValueSource(strings = { "mysql", "mariadb", "postgresql", "h2" })
	void eachPlatformHasAScriptOfTheInbox(String platform) {
		MockEnvironment environment = new MockEnvironment().withProperty("outbox.inbox.enabled", "true");
		assertThat(SchemaPrinter.script(environment, platform)).contains("CREATE TABLE IF NOT EXISTS outbox_message",
				"CREATE TABLE IF NOT EXISTS inbox_message", "CREATE TABLE IF NOT EXISTS inbox_dead_letter");
	}

	private static ApplicationProcess application(String platform) {
		return new ApplicationProcess(HeadlessApplication.class, NOWHERE).with("outbox.jdbc.print-schema", platform);
	}

}
