/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.test;

import io.orderedoutbox.autoconfigure.inbox.OutboxShardProperties;
import io.orderedoutbox.inbox.Inbox;
import io.orderedoutbox.inbox.listener.ShardListenerContainerFactory;
import io.orderedoutbox.inbox.listener.ShardRetrySettings.Exhausted;
import io.orderedoutbox.test.shop.ShopApplication;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * An application that keeps dead letters in sequence, in a test without a database.
 */
@Tag("unit")
@SpringBootTest(classes = ShopApplication.class, webEnvironment = WebEnvironment.NONE, properties = {
		"outbox.inbox.enabled=true", "outbox.rabbit.shards.retry.on-exhausted=dead-letter-sequence",
		"spring.autoconfigure.exclude=org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration" })
@AutoConfigureOutboxTest
class DeadLetterSequenceWithoutDatabaseTests {

	@Test
	void theApplicationStarts(@Autowired Inbox inbox, @Autowired ShardListenerContainerFactory listeners) {
		assertThat(inbox).isInstanceOf(InMemoryInbox.class);
		assertThat(listeners).isNotNull();
	}

	@Test
	void messagesPassDeadLetters(@Autowired OutboxShardProperties properties) {
		assertThat(properties.retry().onExhausted()).isEqualTo(Exhausted.DEAD_LETTER);
	}

	@Test
	void withoutAnInboxItIsRefusedAsInProduction() {
		assertThatException()
			.isThrownBy(() -> startWith("--outbox.rabbit.shards.retry.on-exhausted=dead-letter-sequence").close())
			.withStackTraceContaining("there is no inbox");
	}

	@Test
	void whatBlocksGoesOnBlocking() {
		try (ConfigurableApplicationContext context = startWith("--outbox.inbox.enabled=true")) {
			assertThat(context.getBean(OutboxShardProperties.class).retry().onExhausted()).isEqualTo(Exhausted.BLOCK);
		}
	}

	private static ConfigurableApplicationContext startWith(String argument) {
		SpringApplication application = new SpringApplication(ShopApplication.class, WithOutboxTest.class);
		application.setWebApplicationType(WebApplicationType.NONE);
		return application.run(argument, "--orderedoutbox.test.store=in-memory",
				"--orderedoutbox.test.sender=in-memory", "--outbox.relay.mode=off",
				"--spring.autoconfigure.exclude=org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration");
	}

	@ImportAutoConfiguration(OutboxTestAutoConfiguration.class)
	static class WithOutboxTest {

	}

}
