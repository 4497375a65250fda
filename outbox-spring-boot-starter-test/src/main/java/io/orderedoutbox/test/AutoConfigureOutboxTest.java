/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;

/**
 * Gives a test an outbox that needs no server. Add it to a test class with
 * {@link org.springframework.boot.test.context.SpringBootTest @SpringBootTest}, with a
 * slice such as {@code @JdbcTest}, or with {@code @ApplicationModuleTest}.
 * <p>
 * Events go the same way as in production, and what production refuses is refused. Only
 * where messages are stored and where they are sent is in memory. The relay does not run
 * by itself: the test lets {@link OutboxRelayDriver#drain()} do its work.
 * {@link PublishedMessages} knows what was published since the test method began. The
 * test takes both as beans, or as parameters of its methods.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration
@ExtendWith(OutboxTestExtension.class)
public @interface AutoConfigureOutboxTest {

	/**
	 * What is replaced by one in memory. With {@code replace = Part.SENDER} messages are
	 * stored in the database of the test; with {@code replace = Part.STORE} they reach
	 * the sender of the application, such as its {@code @OutboxListener} methods; with
	 * {@code replace = {}} the whole outbox is that of the application.
	 * @return the parts, both by default
	 */
	Part[] replace() default { Part.STORE, Part.SENDER };

	/**
	 * A part of the outbox that a test can replace.
	 */
	enum Part {

		/**
		 * Where messages are stored.
		 */
		STORE,

		/**
		 * What sends messages.
		 */
		SENDER

	}

}
