/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import org.springframework.core.ResolvableType;
import org.springframework.core.ResolvableTypeProvider;

/**
 * An event with its stamps, to be published with
 * {@link org.springframework.context.ApplicationEventPublisher#publishEvent(Object)
 * publishEvent}.
 * <p>
 * What is in an envelope goes to the outbox, whether its type is annotated or not. A type
 * of the JDK, of Spring, of Kotlin or of Jackson, or an array, is refused there, and so
 * is a type without an annotation that is a map, an iterable, an iterator, or one of
 * Google or of Vavr: it has no name that consumers could rely on, unless a
 * {@code MessageNamingStrategy} bean gives it one. Ordinary listeners of the event's type
 * receive the event too; listeners of {@code OutboxEnvelope<OrderPlaced>} receive the
 * envelope.
 *
 * @param <T> the type of the event
 * @param event the event
 * @param stamps the stamps, in the order given
 */
public record OutboxEnvelope<T>(T event, List<Stamp> stamps) implements ResolvableTypeProvider {

	/**
	 * Create an envelope.
	 * @throws IllegalArgumentException if the event is null or an envelope itself, or if
	 * a stamp is null
	 */
	public OutboxEnvelope {
		Require.that(event != null, "'event' must not be null");
		Require.that(!(event instanceof OutboxEnvelope), "'event' must not be an OutboxEnvelope itself");
		Require.that(stamps.stream().noneMatch(Objects::isNull), "'stamps' must not contain null");
		stamps = List.copyOf(stamps);
	}

	/**
	 * Return an envelope around the given event.
	 * @param <T> the type of the event
	 * @param event the event
	 * @param stamps the stamps
	 * @return the envelope
	 */
	public static <T> OutboxEnvelope<T> of(T event, Stamp... stamps) {
		return new OutboxEnvelope<>(event, List.of(stamps));
	}

	/**
	 * Return an envelope with one stamp more.
	 * @param stamp the stamp to add
	 * @return a new envelope
	 */
	public OutboxEnvelope<T> with(Stamp stamp) {
		List<Stamp> more = new ArrayList<>(this.stamps);
		more.add(stamp);
		return new OutboxEnvelope<>(this.event, more);
	}

	@Override
	public ResolvableType getResolvableType() {
		return ResolvableType.forClassWithGenerics(OutboxEnvelope.class, ResolvableType.forInstance(this.event));
	}

}
