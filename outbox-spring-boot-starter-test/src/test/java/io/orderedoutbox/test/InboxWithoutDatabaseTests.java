/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.test;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.orderedoutbox.inbox.Inbox;
import io.orderedoutbox.test.shop.ShopApplication;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * An application with an inbox, in a test without a database.
 */
@Tag("unit")
@SpringBootTest(classes = ShopApplication.class, webEnvironment = WebEnvironment.NONE, properties = {
		"outbox.inbox.enabled=true", "outbox.inbox.initialize-schema=always",
		"spring.autoconfigure.exclude=org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration" })
@AutoConfigureOutboxTest
class InboxWithoutDatabaseTests {

	@Test
	void theInboxIsInMemory(@Autowired Inbox inbox) {
		AtomicInteger times = new AtomicInteger();
		assertThat(inbox.process("shop", "1", times::incrementAndGet)).isTrue();
		assertThat(inbox.process("shop", "1", times::incrementAndGet)).isFalse();
		assertThat(times).hasValue(1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "a b", "ä", "a/b" })
	void consumersThatProductionRefusesAreRefused(String consumer, @Autowired Inbox inbox) {
		assertThatIllegalArgumentException().isThrownBy(() -> inbox.process(consumer, "1", () -> {
		})).withMessageContaining("name of a consumer");
	}

	@Test
	void idsThatProductionRefusesAreRefused(@Autowired Inbox inbox) {
		for (String id : List.of("", "x".repeat(256), "ä".repeat(128))) {
			assertThatIllegalArgumentException().isThrownBy(() -> inbox.process("shop", id, () -> {
			})).withMessageContaining("255 bytes");
		}
		assertThat(inbox.process("a".repeat(100), "x".repeat(255), () -> {
		})).isTrue();
	}

}
