/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageBuilder;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.rabbit.batch.SimpleBatchingStrategy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The ids of messages that come one after the other on a thread.
 */
class DeliveryTests {

	private static final String BATCH = "\0\0\0\1a\0\0\0\1b\0\0\0\1c";

	private @Nullable Delivery before;

	@Test
	void thePartsOfABatchHaveIdsOfTheirOwn() {
		assertThat(idsOf(batch())).containsExactly("m1", "m1#1", "m1#2");
	}

	@Test
	void aBatchThatComesAgainWithTheSameTagsHasTheSameIds() {
		List<String> first = idsOf(batch());
		assertThat(idsOf(batch())).isEqualTo(first);
		assertThat(idsOf(batch().subList(0, 1))).containsExactly("m1");
		assertThat(idsOf(batch())).isEqualTo(first);
	}

	@Test
	void aMessageThatComesAgainWithTheSameTagsHasTheSameId() {
		assertThat(idsOf(List.of(message(), message()))).containsExactly("m1", "m1");
	}

	private List<String> idsOf(List<Message> messages) {
		List<String> ids = new ArrayList<>();
		for (Message message : messages) {
			Delivery delivery = new Delivery(message, this.before);
			ids.add(delivery.id());
			this.before = delivery;
		}
		return ids;
	}

	private static List<Message> batch() {
		Message batch = message();
		batch.getMessageProperties()
			.setHeader(MessageProperties.SPRING_BATCH_FORMAT, MessageProperties.BATCH_FORMAT_LENGTH_HEADER4);
		List<Message> parts = new ArrayList<>();
		new SimpleBatchingStrategy(0, 0, 0).deBatch(batch, parts::add);
		return parts;
	}

	private static Message message() {
		Message message = MessageBuilder.withBody(BATCH.getBytes(UTF_8)).setMessageId("m1").build();
		message.getMessageProperties().setConsumerTag("always-the-same");
		message.getMessageProperties().setDeliveryTag(1);
		return message;
	}

}
