/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.sample.timeline;

import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.util.Assert;

/**
 * Consumes the events of all orders and writes down what came and when.
 * <p>
 * The outbox keeps the order as far as the queue. This consumer keeps it from there: one
 * active consumer, one thread, and a batch that fails is tried again by that thread
 * before it takes anything else. Giving it back to the queue would let those overtake it
 * that have been fetched already.
 */
@Component
class ArrivalRecorder {

	private static final Logger logger = LoggerFactory.getLogger(ArrivalRecorder.class);

	private final JdbcClient jdbc;

	private final JsonMapper mapper;

	ArrivalRecorder(JdbcClient jdbc, JsonMapper mapper) {
		this.jdbc = jdbc;
		this.mapper = mapper;
	}

	@Transactional
	@RabbitListener(id = "order-timeline", queues = "${sample.queue}", concurrency = "1", batch = "true")
	void record(List<Message> messages) {
		messages.forEach(this::record);
	}

	private void record(Message message) {
		MessageProperties properties = message.getMessageProperties();
		try {
			record(this.mapper.readValue(message.getBody(), Arrival.class), properties.getMessageId(),
					properties.getType());
		}
		catch (JacksonException ex) {
			logger.warn("A message that is not one of ours is left out: {}", properties, ex);
		}
	}

	private void record(Arrival arrival, @Nullable String messageId, @Nullable String name) {
		this.jdbc.sql("""
				INSERT INTO arrived_event (message_id, order_id, version, name, verdict, arrived_at)
				VALUES (:messageId, :orderId, :version, :name, :verdict, UTC_TIMESTAMP(6))
				""")
			.param("messageId", messageId)
			.param("orderId", arrival.orderId().toString())
			.param("version", arrival.version())
			.param("name", name)
			.param("verdict", judge(arrival, messageId).name())
			.update();
	}

	private Verdict judge(Arrival arrival, @Nullable String messageId) {
		return this.jdbc.sql("""
				SELECT
				  (SELECT COALESCE(MAX(version), 0) FROM arrived_event WHERE order_id = :orderId) AS highest,
				  EXISTS (SELECT 1 FROM arrived_event WHERE message_id = :messageId) AS seen,
				  EXISTS (SELECT 1 FROM committed_event WHERE order_id = :orderId AND version = :version) AS committed
				""")
			.param("orderId", arrival.orderId().toString())
			.param("version", arrival.version())
			.param("messageId", messageId)
			.query((row, number) -> Verdict.of(arrival.version(), row.getLong("highest"), row.getBoolean("seen"),
					row.getBoolean("committed")))
			.single();
	}

	/**
	 * The part of a message that this consumer needs; the rest is ignored.
	 *
	 * @param orderId the order
	 * @param version the position of the event in its order
	 */
	record Arrival(UUID orderId, long version) {

		Arrival {
			Assert.notNull(orderId, "'orderId' must be given");
		}

	}

}
