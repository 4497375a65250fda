package io.orderedoutbox.autoconfigure;

import io.orderedoutbox.Outbox;
import io.orderedoutbox.publish.PartitionKeyAspect;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * Tells a native image of the scripts, and of the proxy around the {@link Outbox}.
 */
final class OutboxRuntimeHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.resources().registerPattern("io/orderedoutbox/jdbc/schema-*.sql");
		hints.resources().registerPattern("io/orderedoutbox/inbox/schema-*.sql");
		hints.proxies().registerJdkProxy(AopProxyUtils.completeJdkProxyInterfaces(Outbox.class));
		// Their components are read to show the configuration that is in effect
		new BindingReflectionHintsRegistrar().registerReflectionHints(hints.reflection(), OutboxProperties.class);
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
		// Whether the class is there decides whether statements are prepared
		hints.reflection().registerTypeIfPresent(classLoader, "com.mysql.cj.jdbc.ConnectionImpl");
		hints.reflection().registerType(PartitionKeyAspect.class, MemberCategory.INVOKE_DECLARED_METHODS);
	}

}
