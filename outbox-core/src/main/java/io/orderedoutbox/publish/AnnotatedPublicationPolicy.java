package io.orderedoutbox.publish;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import io.orderedoutbox.OutboxMessage;

/**
 * {@link PublicationPolicy} that selects the events whose type carries
 * {@link OutboxMessage} or a {@link io.orderedoutbox.PartitionKey}, itself or inherited
 * from a superclass or interface, or as a part of an annotation of the application.
 */
public final class AnnotatedPublicationPolicy implements PublicationPolicy {

	private final ConcurrentMap<Class<?>, Boolean> answers = new ConcurrentHashMap<>();

	@Override
	public boolean isOutboxMessage(Object event) {
		return this.answers.computeIfAbsent(ProxiedEvent.ofSpring(event).getClass(),
				AnnotatedPublicationPolicy::isAnnotated);
	}

	private static boolean isAnnotated(Class<?> type) {
		return AnnotationLookup.isPresent(type, OutboxMessage.class) || KeyAccessor.isAnnotated(type);
	}

}
