/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import io.orderedoutbox.MissingPartitionKeyException;
import io.orderedoutbox.Outbox;
import io.orderedoutbox.OutboxEnvelope;
import io.orderedoutbox.OutboxSuppression;
import io.orderedoutbox.PartitionKeyStamp;
import io.orderedoutbox.Stamp;
import io.orderedoutbox.publish.key.KeyAccessor;
import io.orderedoutbox.publish.key.PartitionKeyExtractor;
import io.orderedoutbox.publish.key.ProxiedEvent;
import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.annotation.Around;
import org.aspectj.lang.annotation.Aspect;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.aspectj.annotation.AspectJProxyFactory;
import org.springframework.util.Assert;

/**
 * Stamps every event that reaches the {@link Outbox} with its partition key, and in
 * ordered mode refuses one that has none.
 * <ol>
 * <li>An envelope is opened; its stamps come before those of the call. An event that is a
 * proxy gives way to the object behind it.</li>
 * <li>An explicit {@link PartitionKeyStamp} wins, the empty one included.</li>
 * <li>Otherwise the value marked by {@link io.orderedoutbox.PartitionKey} becomes the
 * key. A type that says {@code @OutboxMessage(ordered = false)} is bound to no order, on
 * purpose.</li>
 * <li>No key: refused where a key is required, bound to no order elsewhere.</li>
 * </ol>
 */
@Aspect
public final class PartitionKeyAspect {

	private final PartitionKeyExtractor extractor = new PartitionKeyExtractor();

	private final boolean required;

	/**
	 * Create an aspect.
	 * @param required whether an event without a key is refused
	 */
	public PartitionKeyAspect(boolean required) {
		this.required = required;
	}

	/**
	 * Return the given outbox behind this aspect. The proxy is made here, not by
	 * auto-proxying, so that {@code spring.aop.auto=false} cannot switch it off.
	 * @param outbox the outbox
	 * @return a proxy of it
	 */
	public Outbox around(Outbox outbox) {
		AspectJProxyFactory factory = new AspectJProxyFactory(outbox);
		factory.addAspect(this);
		return factory.getProxy(Outbox.class.getClassLoader());
	}

	// Not with args(event, stamps): AspectJ would match each call once more to bind them
	@Around("execution(* io.orderedoutbox.Outbox.publish(Object, io.orderedoutbox.Stamp...))")
	@Nullable Object stampPartitionKey(ProceedingJoinPoint call) throws Throwable {
		Object[] arguments = call.getArgs();
		Object event = arguments[0];
		Stamp[] stamps = (Stamp[]) arguments[1];
		Assert.notNull(event, "'event' must not be null");
		Object bare = ProxiedEvent.unwrap((event instanceof OutboxEnvelope<?> envelope) ? envelope.event() : event);
		List<Stamp> all = new ArrayList<>();
		if (event instanceof OutboxEnvelope<?> envelope) {
			all.addAll(envelope.stamps());
		}
		all.addAll(Arrays.asList(stamps));
		// Of a replay nothing is stored: an old event without a key must not end it
		if (!OutboxSuppression.isActive() && all.stream().noneMatch(PartitionKeyStamp.class::isInstance)) {
			all.add(annotatedKey(bare));
		}
		return call.proceed(new Object[] { bare, all.toArray(Stamp[]::new) });
	}

	private PartitionKeyStamp annotatedKey(Object event) {
		PartitionKeyStamp annotated = this.extractor.extract(event);
		if (annotated == null && this.required) {
			boolean marked = KeyAccessor.isAnnotated(event.getClass());
			throw new MissingPartitionKeyException(event.getClass(),
					marked ? "the value marked by @PartitionKey is null, blank or an empty Optional"
							: "nothing is marked by @PartitionKey");
		}
		return (annotated != null) ? annotated : PartitionKeyStamp.none();
	}

}
