/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.observation;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.orderedoutbox.HeaderStamp;
import io.orderedoutbox.Outbox;
import io.orderedoutbox.OutboxEnvelope;
import io.orderedoutbox.OutboxSuppression;
import io.orderedoutbox.Stamp;
import io.orderedoutbox.publish.AnnotatedMessageNamingStrategy;
import io.orderedoutbox.publish.MessageNamingStrategy;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@link Outbox} whose publications are observed. The trace context becomes headers of
 * the message; a header that the application stamped itself stays as it is.
 */
public final class ObservedOutbox implements Outbox {

	private static final PublishObservationConvention DEFAULT = new DefaultPublishObservationConvention();

	private static final Logger logger = LoggerFactory.getLogger(ObservedOutbox.class);

	// The outbox refuses what has no valid name
	private static final String NO_NAME = "unknown";

	private final ConcurrentMap<Class<?>, String> names = new ConcurrentHashMap<>();

	private final Outbox outbox;

	private final ObservationRegistry registry;

	private final MessageNamingStrategy naming;

	private final @Nullable PublishObservationConvention convention;

	/**
	 * Create an outbox.
	 * @param outbox publishes
	 * @param registry where observations go
	 * @param naming names event types
	 * @param convention how observations are named, {@code null} for the default
	 */
	public ObservedOutbox(Outbox outbox, ObservationRegistry registry, MessageNamingStrategy naming,
			@Nullable PublishObservationConvention convention) {
		this.outbox = outbox;
		this.registry = registry;
		this.naming = naming;
		this.convention = convention;
	}

	@Override
	public UUID publish(Object event, Stamp... stamps) {
		Object bare = (event instanceof OutboxEnvelope<?> envelope) ? envelope.event() : event;
		// What is refused is refused by the outbox, and what is suppressed is no
		// publication
		if (bare == null || this.registry.isNoop() || OutboxSuppression.isActive()) {
			return this.outbox.publish(event, stamps);
		}
		PublishContext context = new PublishContext(this.names.computeIfAbsent(bare.getClass(), this::nameOf));
		Observation observation = OutboxObservation.PUBLISH.observation(this.convention, DEFAULT, () -> context,
				this.registry);
		return observation.observe(() -> {
			UUID id = this.outbox.publish(event, withTrace(context.getCarrier(), event, stamps));
			context.setMessageId(id);
			return id;
		});
	}

	private String nameOf(Class<?> type) {
		try {
			String name = this.naming.nameOf(type);
			return (name != null && AnnotatedMessageNamingStrategy.PATTERN.matcher(name).matches()) ? name : NO_NAME;
		}
		catch (RuntimeException ex) {
			logger.debug("{} cannot be named: its publication will fail", type, ex);
			return NO_NAME;
		}
	}

	private static Stamp[] withTrace(@Nullable Map<String, String> trace, Object event, Stamp[] stamps) {
		if (trace == null || trace.isEmpty()) {
			return stamps;
		}
		List<Stamp> all = new ArrayList<>(List.of(stamps));
		trace.forEach((name, value) -> {
			boolean stamped = isStamped(name, List.of(stamps))
					|| (event instanceof OutboxEnvelope<?> envelope && isStamped(name, envelope.stamps()));
			if (!stamped) {
				all.add(HeaderStamp.of(name, value));
			}
		});
		return all.toArray(Stamp[]::new);
	}

	private static boolean isStamped(String header, List<Stamp> stamps) {
		return stamps.stream().anyMatch((stamp) -> stamp instanceof HeaderStamp given && given.name().equals(header));
	}

}
