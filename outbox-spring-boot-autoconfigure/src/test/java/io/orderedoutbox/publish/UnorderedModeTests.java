/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish;

import java.util.List;

import io.orderedoutbox.OutboxMessage;
import io.orderedoutbox.OutboxPublicationException;
import io.orderedoutbox.PartitionKey;
import io.orderedoutbox.PartitionKeyStamp;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.SqlLog;
import io.orderedoutbox.testing.StoredRow;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The plain outbox: {@code outbox.ordered=false}, which is the default.
 */
class UnorderedModeTests {

	@AutoClose
	private static OutboxApplication application;

	@BeforeAll
	static void start() {
		application = OutboxApplication.on(Servers.database().fresh())
			.withoutRelay()
			.withSqlLog()
			.with("outbox.ordered", "false")
			.start();
	}

	@BeforeEach
	void empty() {
		application.jdbc().sql("DELETE FROM outbox_message").update();
	}

	@Test
	void noKeyIsNeeded() {
		application.publish(new Keyless("x"), new OrderPlaced(null, 1), new OrderPlaced(" ", 1));
		assertThat(application.rows()).extracting(StoredRow::partitionKey).containsExactly("", "", "");
	}

	@Test
	void keyThatIsThereIsStored() {
		application.publish(new OrderPlaced("annotated", 1));
		application.inTransaction((outbox) -> outbox.publish(new Keyless("x"), PartitionKeyStamp.of("stamped")));
		assertThat(application.rows()).extracting(StoredRow::partitionKey).containsExactly("annotated", "stamped");
	}

	@Test
	void theMessagesOfATransactionShareAnyStripeThatIsFree() {
		List<String> statements = SqlLog
			.of(() -> application.publish(new OrderPlaced("a", 1), new OrderPlaced("b", 1)));
		assertThat(statements).filteredOn((statement) -> statement.contains("outbox_stripe"))
			.singleElement()
			.asString()
			.endsWith("limit 1 for update skip locked");
		assertThat(statements).filteredOn((statement) -> statement.startsWith("insert into outbox_message")).hasSize(1);
		assertThat(application.jdbc().sql("SELECT DISTINCT lane FROM outbox_message").query(Integer.class).list())
			.singleElement(as(InstanceOfAssertFactories.INTEGER))
			.isBetween(0, 63);
	}

	@Test
	void wrongKeyIsStillRefused() {
		assertThatExceptionOfType(OutboxPublicationException.class)
			.isThrownBy(() -> application.publish(new Object[] { new TwoKeys("a", "b") }))
			.withMessageContaining("more than one @PartitionKey");
		assertThatExceptionOfType(OutboxPublicationException.class)
			.isThrownBy(() -> application.publish(new Object[] { new OrderPlaced("x".repeat(256), 1) }));
		assertThat(application.depth()).isZero();
	}

	@OutboxMessage
	record Keyless(String text) {

	}

	record TwoKeys(@PartitionKey String first, @PartitionKey String second) {

	}

}
