package io.orderedoutbox.order;

import io.orderedoutbox.jdbc.OutboxDatabase;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.util.ReflectionTestUtils;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.util.Assert;

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
	 * Heads found above a mark are taken for heads.
	 */
	UNVERIFIED_HEADS(true, UnverifiedHeads.class);

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
	static class UnverifiedHeads {

		@Bean
		SmartInitializingSingleton unverifiedHeads(OutboxDatabase database) {
			return () -> {
				Object statements = ReflectionTestUtils.invokeMethod(database, "statements");
				Assert.state(statements != null, "no statements");
				ReflectionTestUtils.setField(statements, "verify",
						"SELECT w.id FROM JSON_TABLE(?, '$[*]' COLUMNS (id BIGINT PATH '$')) w");
			};
		}

	}

}
