/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.app;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.orderedoutbox.HeaderStamp;
import io.orderedoutbox.chaos.server.DatabaseWords;
import io.orderedoutbox.inbox.ProcessOnce;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The handler, which enters each message into a table of effects, in its transaction.
 * <ol>
 * <li>It reads, without a lock, how many effects of the key are committed, and whether it
 * is to fail.</li>
 * <li>It works for a while, mostly for none.</li>
 * <li>It counts the effect in the row of the key. The lock on that row stays until the
 * commit, so that the numbers of a key are in the order of its commits.</li>
 * <li>It enters the effect with both numbers. If the second does not follow the first,
 * another message of the key was processed at the same time.</li>
 * </ol>
 */
class EffectListener {

	private static final Pattern VERSION = Pattern.compile("\"version\":(\\d+)");

	private static final int FAILURE_MILLIS = 20;

	private final JdbcClient jdbc;

	private final String life;

	private final String countEffect;

	EffectListener(JdbcClient jdbc, @Value("${chaos.life}") String life,
			@Value("${spring.datasource.url}") String jdbcUrl) {
		this.jdbc = jdbc;
		this.life = life;
		this.countEffect = DatabaseWords.of(jdbcUrl).countEffect();
	}

	@ProcessOnce("chaos")
	@RabbitListener(queues = "#{@shardQueues.names()}", containerFactory = "shardListenerContainerFactory")
	void on(Message message) {
		Object header = message.getMessageProperties().getHeader(HeaderStamp.PARTITION_KEY_HEADER);
		String key = (header != null) ? header.toString() : "";
		Before before = before(key);
		if (before.fails()) {
			pause(FAILURE_MILLIS);
			throw new IllegalStateException("The handler of key '%s' fails for a while".formatted(key));
		}
		pause(work());
		count(key);
		enter(message, key, before.effects());
	}

	private Before before(String key) {
		return this.jdbc.sql("""
				SELECT COALESCE((SELECT effects FROM chaos_progress WHERE partition_key = ?), 0),
				EXISTS (SELECT 1 FROM chaos_poison WHERE partition_key = ?)""")
			.params(key, key)
			.query((row, number) -> new Before(row.getLong(1), row.getBoolean(2)))
			.single();
	}

	// Messages without a key have no order: they must not wait for each other
	private void count(String key) {
		if (!key.isEmpty()) {
			this.jdbc.sql(this.countEffect).param(key).update();
		}
	}

	private void enter(Message message, String key, long seen) {
		long number = key.isEmpty() ? 0
				: this.jdbc.sql("SELECT effects FROM chaos_progress WHERE partition_key = ?")
					.param(key)
					.query(Long.class)
					.single();
		this.jdbc.sql("""
				INSERT INTO chaos_effect (consumer, message_id, partition_key, version, number, seen, redelivered, at)
				VALUES (?, ?, ?, ?, ?, ?, ?, ?)""")
			.params(this.life, String.valueOf(message.getMessageProperties().getMessageId()), key, version(message),
					number, seen, Boolean.TRUE.equals(message.getMessageProperties().isRedelivered()),
					System.nanoTime())
			.update();
	}

	private static long version(Message message) {
		Matcher version = VERSION.matcher(new String(message.getBody(), StandardCharsets.UTF_8));
		return version.find() ? Long.parseLong(version.group(1)) : -1;
	}

	private static int work() {
		ThreadLocalRandom random = ThreadLocalRandom.current();
		return switch (random.nextInt(50)) {
			case 0 -> random.nextInt(40);
			case 1, 2, 3, 4 -> random.nextInt(4);
			default -> 0;
		};
	}

	private static void pause(int millis) {
		LockSupport.parkNanos(Duration.ofMillis(millis).toNanos());
	}

	/**
	 * What the handler finds.
	 *
	 * @param effects how many effects of the key are committed
	 * @param fails whether it is to fail
	 */
	private record Before(long effects, boolean fails) {

	}

}
