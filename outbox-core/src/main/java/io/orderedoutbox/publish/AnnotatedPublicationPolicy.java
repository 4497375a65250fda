/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import io.orderedoutbox.OutboxMessage;
import io.orderedoutbox.publish.key.AnnotationLookup;
import io.orderedoutbox.publish.key.KeyAccessor;
import io.orderedoutbox.publish.key.ProxiedEvent;

/**
 * {@link PublicationPolicy} that selects the events whose type carries
 * {@link OutboxMessage} or a {@link io.orderedoutbox.PartitionKey}, itself or inherited
 * from a superclass or interface, or as a part of an annotation of the application. Of a
 * proxy of Hibernate the object behind it decides, if it can be loaded.
 */
public final class AnnotatedPublicationPolicy implements PublicationPolicy {

	private final ConcurrentMap<Class<?>, Boolean> answers = new ConcurrentHashMap<>();

	@Override
	public boolean isOutboxMessage(Object event) {
		Object target = ProxiedEvent.ofSpring(event);
		return isMessage(target.getClass()) || isMessage(ProxiedEvent.loaded(target).getClass());
	}

	private boolean isMessage(Class<?> type) {
		return this.answers.computeIfAbsent(type, AnnotatedPublicationPolicy::isAnnotated);
	}

	/**
	 * Return whether the type of an event carries one of the annotations.
	 * @param type the class of the event
	 * @return whether its events are messages of the outbox
	 */
	public static boolean isAnnotated(Class<?> type) {
		return AnnotationLookup.isPresent(type, OutboxMessage.class) || KeyAccessor.isAnnotated(type);
	}

}
