/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.Date;
import java.util.List;
import java.util.UUID;

import io.orderedoutbox.Outbox;
import io.orderedoutbox.Stamp;
import io.orderedoutbox.publish.PartitionKeyAspect;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * Tells a native image of the scripts, of the proxy around the {@link Outbox}, and of
 * what the library looks for by name.
 */
final class OutboxRuntimeHints implements RuntimeHintsRegistrar {

	// Whether they are there decides what the library does
	private static final List<String> LOOKED_FOR = List.of("com.mysql.cj.jdbc.ConnectionImpl", "org.h2.Driver",
			"com.zaxxer.hikari.HikariDataSource", "org.hibernate.engine.spi.SessionImplementor",
			"org.springframework.orm.jpa.EntityManagerHolder", "org.springframework.security.web.SecurityFilterChain",
			"io.cloudevents.core.message.MessageReader");

	// It is looked up whether they have a text of their own, and an expression on a type
	// does not tell which of them it yields
	private static final List<Class<?>> KEYS = List.of(Byte.class, Short.class, Integer.class, Long.class,
			Character.class, Boolean.class, BigInteger.class, BigDecimal.class, UUID.class, URI.class, Date.class,
			Instant.class, LocalDate.class, LocalDateTime.class, OffsetDateTime.class, ZonedDateTime.class);

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.resources().registerPattern("io/orderedoutbox/jdbc/*.sql");
		hints.resources().registerPattern("io/orderedoutbox/inbox/*.sql");
		hints.resources().registerPattern("io/orderedoutbox/liquibase/*.xml");
		hints.proxies().registerJdkProxy(AopProxyUtils.completeJdkProxyInterfaces(Outbox.class));
		hints.reflection()
			.registerTypeIfPresent(classLoader, "io.orderedoutbox.inbox.monitor.InboxEndpoint$Body",
					MemberCategory.INVOKE_DECLARED_METHODS);
		// Where Spring AMQP keeps the addresses of the broker
		hints.reflection()
			.registerTypeIfPresent(classLoader, "org.springframework.amqp.rabbit.connection.AbstractConnectionFactory",
					MemberCategory.ACCESS_DECLARED_FIELDS);
		// Where it keeps the message converter of listeners
		hints.reflection()
			.registerTypeIfPresent(classLoader,
					"org.springframework.amqp.rabbit.config.AbstractRabbitListenerContainerFactory",
					MemberCategory.ACCESS_DECLARED_FIELDS);
		LOOKED_FOR.forEach((name) -> hints.reflection().registerTypeIfPresent(classLoader, name));
		KEYS.forEach(hints.reflection()::registerType);
		hints.reflection().registerType(PartitionKeyAspect.class, MemberCategory.INVOKE_DECLARED_METHODS);
		// The pointcut names them
		hints.reflection()
			.registerType(Outbox.class, MemberCategory.INVOKE_DECLARED_METHODS)
			.registerType(Stamp.class)
			.registerType(Stamp[].class);
		hints.reflection()
			.registerTypeIfPresent(classLoader, "org.hibernate.proxy.HibernateProxy",
					MemberCategory.INVOKE_DECLARED_METHODS)
			.registerTypeIfPresent(classLoader, "org.hibernate.proxy.LazyInitializer",
					MemberCategory.INVOKE_DECLARED_METHODS);
	}

}
