/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.order;

import java.util.regex.Pattern;

import javax.sql.DataSource;

import io.orderedoutbox.testing.RewritingDataSource;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Ways to break the order. A fuzzer that finds nothing with them finds nothing.
 */
enum Sabotage {

	/**
	 * Everything as it should be.
	 */
	NONE(true, Untouched.class),

	/**
	 * Writers take no stripes.
	 */
	NO_STRIPES(false, Untouched.class),

	/**
	 * Messages in flight are excluded when heads are looked for.
	 */
	TEXTBOOK_HEADS(true, TextbookHeads.class),

	/**
	 * Claims take partitions without a lock on them.
	 */
	UNLOCKED_PARTITIONS(true, UnlockedPartitions.class);

	private static final Pattern ROW_LOCKS = Pattern.compile("FOR UPDATE( OF p)? SKIP LOCKED");

	private final boolean stripes;

	private final Class<?> relay;

	Sabotage(boolean stripes, Class<?> relay) {
		this.stripes = stripes;
		this.relay = relay;
	}

	boolean takesStripes() {
		return this.stripes;
	}

	/**
	 * The configuration of every relay.
	 */
	Class<?> relay() {
		return this.relay;
	}

	@Configuration(proxyBeanMethods = false)
	static class Untouched {

	}

	@Configuration(proxyBeanMethods = false)
	static class TextbookHeads {

		@Bean
		TextbookRelayStore relayStore(JdbcClient jdbc, TransactionTemplate transaction) {
			return new TextbookRelayStore(jdbc, transaction);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class UnlockedPartitions {

		@Bean
		static BeanPostProcessor withoutRowLocks() {
			return new BeanPostProcessor() {

				@Override
				public Object postProcessAfterInitialization(Object bean, String name) {
					return (bean instanceof DataSource pool)
							? new RewritingDataSource(pool, (sql) -> ROW_LOCKS.matcher(sql).replaceFirst("")) : bean;
				}

			};
		}

	}

}
