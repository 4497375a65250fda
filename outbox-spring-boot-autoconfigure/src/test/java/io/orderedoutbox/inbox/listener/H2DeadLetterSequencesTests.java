/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.listener;

import io.orderedoutbox.inbox.InboxSchema;
import io.orderedoutbox.servers.Database;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.core.io.ByteArrayResource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Dead letters that others follow on H2, whatever database the tests use. With
 * {@code OUTBOX_TEST_DATABASE=h2} {@link DeadLetterSequencesTests} run on it, too.
 */
class H2DeadLetterSequencesTests {

	@ParameterizedTest
	@ValueSource(strings = { "", ";MODE=MySQL", ";MODE=PostgreSQL;DATABASE_TO_LOWER=TRUE" })
	void keysAreParkedUntilTheirLastMessageIsProcessed(String mode) {
		Database database = Database.h2(mode);
		SingleConnectionDataSource one = new SingleConnectionDataSource(database.jdbcUrl(), database.username(),
				database.password(), true);
		try {
			InboxSchema schema = new InboxSchema("h2", "inbox_message", "inbox_dead_letter");
			new ResourceDatabasePopulator(new ByteArrayResource(schema.script().text().getBytes(UTF_8))).execute(one);
			DeadLetterSequences sequences = new DeadLetterSequences(one, "inbox_dead_letter");
			sequences.check();
			assertThat(sequences.addBehind("billing", "key", "1")).as("not parked").isFalse();
			sequences.add("billing", "key", "1");
			sequences.add("billing", "key", "1");
			sequences.add("billing", "KEY ", "2");
			sequences.add("others", "😀".repeat(255), "3");
			assertThat(sequences.addBehind("billing", "key", "4")).isTrue();
			assertThat(sequences.addBehind("billing", "key", "4")).as("it is there").isTrue();
			assertThat(sequences.keys("billing")).containsExactlyInAnyOrder("key", "KEY ");
			assertThat(sequences.keys("others")).containsExactly("😀".repeat(255));
			SequenceFigures figures = sequences.figures("billing");
			assertThat(figures.parkedKeys()).isEqualTo(2);
			assertThat(figures.deadLetters()).isEqualTo(3);
			assertThat(figures.oldest()).isNotNull();
			assertThat(figures.heads()).extracting((head) -> head.key() + ":" + head.messageId())
				.containsExactly("key:1", "KEY :2");
			assertThat(sequences.first("billing", "key")).isEqualTo("1");
			sequences.remove("billing", "key", "1");
			assertThat(sequences.contains("billing", "key", "1")).isFalse();
			assertThat(sequences.first("billing", "key")).isEqualTo("4");
			assertThat(sequences.discard("billing", "4")).isOne();
			assertThat(sequences.first("billing", "key")).isNull();
			assertThat(sequences.keys("billing")).containsExactly("KEY ");
		}
		finally {
			one.destroy();
		}
	}

}
