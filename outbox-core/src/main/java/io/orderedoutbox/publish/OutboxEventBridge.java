/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish;

import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.function.Supplier;

import io.orderedoutbox.Outbox;
import io.orderedoutbox.OutboxEnvelope;
import io.orderedoutbox.OutboxSuppression;
import io.orderedoutbox.publish.key.LibraryTypes;
import org.jspecify.annotations.Nullable;

import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.core.NamedThreadLocal;
import org.springframework.core.Ordered;
import org.springframework.util.function.SingletonSupplier;

/**
 * Brings application events to the {@link Outbox}: those that the
 * {@link PublicationPolicy} selects, and every {@link OutboxEnvelope}. While an
 * {@link OutboxSuppression} is active it brings none.
 * <p>
 * Runs before other listeners, so that an event is stored before the ones that its
 * listeners publish, and always on the publishing thread, even if the application gave
 * its event multicaster an executor: only that thread has the transaction.
 * <p>
 * While an application context closes, it takes each listener away that is a bean, and
 * transactions still commit for a while. An {@link Understudy}, which is none, sees to it
 * that their events are not lost.
 */
public final class OutboxEventBridge implements ApplicationListener<ApplicationEvent>, Ordered {

	@SuppressWarnings("ThreadLocalUsage") // an event can pass through two outboxes
	private final ThreadLocal<@Nullable Object> taken = new NamedThreadLocal<>("Event taken from its envelope");

	@SuppressWarnings("ThreadLocalUsage") // as above
	private final ThreadLocal<Set<ApplicationEvent>> seen = NamedThreadLocal.withInitial("Events the bridge has seen",
			() -> Collections.newSetFromMap(new WeakHashMap<>()));

	private final Supplier<Outbox> outbox;

	private final Supplier<PublicationPolicy> policy;

	private final ApplicationEventPublisher publisher;

	/**
	 * Create a bridge.
	 * @param outbox where events go, first asked for when there is one
	 * @param policy which events go there, first asked for when there is an event: what
	 * the two depend on may publish events while it is being made
	 * @param publisher publishes what was in an envelope to ordinary listeners
	 */
	public OutboxEventBridge(Supplier<Outbox> outbox, Supplier<PublicationPolicy> policy,
			ApplicationEventPublisher publisher) {
		this.outbox = SingletonSupplier.of(outbox);
		this.policy = SingletonSupplier.of(policy);
		this.publisher = publisher;
		if (publisher instanceof ConfigurableApplicationContext context) {
			context.addApplicationListener(new Understudy());
		}
	}

	@Override
	public void onApplicationEvent(ApplicationEvent event) {
		take(event);
		this.seen.get().add(event);
	}

	private void take(ApplicationEvent event) {
		Object payload = (event instanceof PayloadApplicationEvent<?> wrapper) ? wrapper.getPayload() : event;
		Object fromEnvelope = this.taken.get();
		if (fromEnvelope != null && (payload == fromEnvelope || event == fromEnvelope)) {
			this.taken.remove();
		}
		else if (payload instanceof OutboxEnvelope<?> envelope) {
			store(envelope);
			publishToOrdinaryListeners(envelope.event());
		}
		else if (this.policy.get().isOutboxMessage(payload)) {
			store(payload);
		}
		else if (payload != event && isWrittenByApplication(event) && this.policy.get().isOutboxMessage(event)) {
			store(event);
		}
	}

	private void store(Object event) {
		if (!OutboxSuppression.isActive()) {
			this.outbox.get().publish(event);
		}
	}

	// Not the wrapper that Spring makes around any object
	private static boolean isWrittenByApplication(ApplicationEvent event) {
		return !LibraryTypes.contain(event.getClass());
	}

	private void publishToOrdinaryListeners(Object event) {
		this.taken.set(event);
		try {
			this.publisher.publishEvent(event);
		}
		finally {
			this.taken.remove();
		}
	}

	@Override
	public boolean supportsAsyncExecution() {
		return false;
	}

	@Override
	public int getOrder() {
		return Ordered.HIGHEST_PRECEDENCE;
	}

	/**
	 * Takes the events that the bridge does not get to see any more.
	 */
	private final class Understudy implements ApplicationListener<ApplicationEvent>, Ordered {

		@Override
		public void onApplicationEvent(ApplicationEvent event) {
			if (!OutboxEventBridge.this.seen.get().remove(event)) {
				take(event);
			}
		}

		@Override
		public boolean supportsAsyncExecution() {
			return false;
		}

		@Override
		public int getOrder() {
			return OutboxEventBridge.this.getOrder() + 1;
		}

	}

}
