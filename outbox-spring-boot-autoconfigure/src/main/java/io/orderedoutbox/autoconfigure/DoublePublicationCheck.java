/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.orderedoutbox.publish.PublicationPolicy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.modulith.events.EventExternalizationConfiguration;
import org.springframework.util.ClassUtils;

/**
 * Warns, at the first event of a class, if Spring Modulith sends its events to a broker
 * as well as the outbox does: consumers would get each of them twice, and could not tell
 * by the message id.
 */
final class DoublePublicationCheck implements ApplicationListener<PayloadApplicationEvent<?>> {

	private static final Logger logger = LoggerFactory.getLogger(DoublePublicationCheck.class);

	// What hands events to a broker: since 2.1 in its two modes, and before
	private static final List<String> EXTERNALIZERS = List.of("EventExternalizerModuleListener",
			"OutboxEventExternalizer", "DelegatingEventExternalizer");

	private final Set<Class<?>> known = ConcurrentHashMap.newKeySet();

	private final ListableBeanFactory beans;

	private final ObjectProvider<PublicationPolicy> policy;

	private final ObjectProvider<EventExternalizationConfiguration> externalization;

	DoublePublicationCheck(ListableBeanFactory beans, ObjectProvider<PublicationPolicy> policy,
			ObjectProvider<EventExternalizationConfiguration> externalization) {
		this.beans = beans;
		this.policy = policy;
		this.externalization = externalization;
	}

	@Override
	public void onApplicationEvent(PayloadApplicationEvent<?> event) {
		Object payload = event.getPayload();
		if (this.known.add(payload.getClass()) && isSentTwice(payload)) {
			logger.atWarn()
				.addKeyValue("event", payload.getClass().getName())
				.log("Events of {} are sent twice: by the outbox, and by Spring Modulith, whose message has no id. Remove one of the annotations @Externalized and @OutboxMessage (or @PartitionKey), or set spring.modulith.events.externalization.enabled=false",
						payload.getClass());
		}
	}

	// The policy last: where Modulith sends nothing, it is asked by the outbox alone
	private boolean isSentTwice(Object event) {
		return this.externalization.stream().anyMatch((externalization) -> externalization.supports(event))
				&& EXTERNALIZERS.stream().anyMatch(this::isThere) && this.policy.getObject().isOutboxMessage(event);
	}

	private boolean isThere(String externalizer) {
		String name = "org.springframework.modulith.events.support." + externalizer;
		ClassLoader loader = EventExternalizationConfiguration.class.getClassLoader();
		return ClassUtils.isPresent(name, loader)
				&& this.beans.getBeanNamesForType(ClassUtils.resolveClassName(name, loader), true, false).length > 0;
	}

}
