/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.orderedoutbox.Outbox;
import io.orderedoutbox.OutboxEnvelope;
import io.orderedoutbox.OutboxMessage;
import io.orderedoutbox.OutboxPublicationException;
import io.orderedoutbox.OutboxSuppression;
import io.orderedoutbox.Stamp;
import io.orderedoutbox.publish.key.ProxiedEvent;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;
import org.springframework.util.function.SingletonSupplier;

/**
 * {@link Outbox} that hands each event to one of several.
 * <ol>
 * <li>The type of the event names an outbox with {@link OutboxMessage#outbox()}: that
 * one.</li>
 * <li>The type is in a package that an outbox takes: that one, or the one with the
 * longest package.</li>
 * <li>There is a default outbox: that one.</li>
 * <li>The calling thread is in a transaction that one of the outboxes can join: that one.
 * An application whose shards have an outbox each needs no other rule.</li>
 * </ol>
 * Anything else is refused. An outbox that is switched off stores nothing of what is
 * handed to it, and if all are, nothing is stored or refused. So it is while an
 * {@link OutboxSuppression} is active.
 */
public final class SeveralOutboxes implements Outbox {

	/**
	 * How the type of an event names the outbox without a name.
	 */
	public static final String DEFAULT = "default";

	private final OutboxOfType outboxOfType = new OutboxOfType();

	private final @Nullable Supplier<Outbox> standard;

	private final Supplier<? extends Collection<? extends OutboxMember>> members;

	/**
	 * Create an outbox of several.
	 * @param standard the default outbox, {@code null} if there is none; first asked for
	 * when there is an event
	 * @param members those with a name, first asked for when there is an event
	 */
	public SeveralOutboxes(@Nullable Supplier<Outbox> standard,
			Supplier<? extends Collection<? extends OutboxMember>> members) {
		this.standard = (standard != null) ? SingletonSupplier.of(standard) : null;
		this.members = SingletonSupplier.of(members);
	}

	@Override
	public UUID publish(Object event, Stamp... stamps) {
		Assert.notNull(event, "'event' must not be null");
		Object bare = ProxiedEvent.unwrap((event instanceof OutboxEnvelope<?> envelope) ? envelope.event() : event);
		Outbox outbox = (OutboxSuppression.isActive() || isOff()) ? null : outboxOf(bare.getClass());
		return (outbox != null) ? outbox.publish(event, stamps) : unused(event, stamps);
	}

	private boolean isOff() {
		return this.standard == null && members().allMatch((member) -> member.outbox() == null);
	}

	private static UUID unused(Object event, Stamp... stamps) {
		Stream<Stamp> carried = (event instanceof OutboxEnvelope<?> envelope) ? envelope.stamps().stream()
				: Stream.empty();
		UUID id = Stamps.of(Stream.concat(carried, Stream.of(stamps)).toArray(Stamp[]::new)).messageId();
		return (id != null) ? id : UUID.randomUUID();
	}

	private @Nullable Outbox outboxOf(Class<?> type) {
		String name = this.outboxOfType.of(type);
		if (!name.isEmpty()) {
			return named(name, type);
		}
		OutboxMember member = ofPackage(type.getPackageName());
		if (member != null) {
			return member.outbox();
		}
		return (this.standard != null) ? this.standard.get() : ofTransaction(type).outbox();
	}

	private @Nullable Outbox named(String name, Class<?> type) {
		if (name.equals(DEFAULT) && this.standard != null) {
			return this.standard.get();
		}
		return members().filter((member) -> member.name().equals(name))
			.findFirst()
			.orElseThrow(() -> new OutboxPublicationException(
					"Event %s names the outbox '%s', but there are only these: %s. Correct @OutboxMessage(outbox = \"%s\"), or configure outbox.named.%2$s.*"
						.formatted(type.getName(), name, names(), name)))
			.outbox();
	}

	private @Nullable OutboxMember ofPackage(String name) {
		record Taken(OutboxMember member, String prefix) {
		}
		return members().flatMap((member) -> member.packages().stream().map((prefix) -> new Taken(member, prefix)))
			.filter((taken) -> (name + ".").startsWith(taken.prefix() + "."))
			.max(Comparator.comparingInt((taken) -> taken.prefix().length()))
			.map(Taken::member)
			.orElse(null);
	}

	private OutboxMember ofTransaction(Class<?> type) {
		List<? extends OutboxMember> joinable = members().filter(OutboxMember::isInTransaction).toList();
		if (joinable.size() == 1) {
			return joinable.get(0);
		}
		throw new OutboxPublicationException(joinable.isEmpty()
				? "Event %s names no outbox, and was published without a transaction that one of the outboxes could join: %s. Publish it in a transaction on the DataSource of one of them"
					.formatted(type.getName(), names())
				: "Event %s names no outbox, and was published in a transaction that %s can join. Name one of them with @OutboxMessage(outbox = \"%s\")"
					.formatted(type.getName(),
							joinable.stream().map(OutboxMember::name).collect(Collectors.joining(" and ")),
							joinable.get(0).name()));
	}

	private String names() {
		Stream<String> first = (this.standard != null) ? Stream.of(DEFAULT) : Stream.empty();
		return Stream.concat(first, members().map(OutboxMember::name)).collect(Collectors.joining(", "));
	}

	private Stream<? extends OutboxMember> members() {
		return this.members.get().stream();
	}

}
