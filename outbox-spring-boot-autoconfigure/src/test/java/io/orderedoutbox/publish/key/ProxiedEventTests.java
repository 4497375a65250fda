/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish.key;

import java.lang.ref.WeakReference;
import java.util.UUID;

import io.orderedoutbox.Outbox;
import io.orderedoutbox.OutboxEnvelope;
import io.orderedoutbox.OutboxMessage;
import io.orderedoutbox.OutboxPublicationException;
import io.orderedoutbox.PartitionKey;
import io.orderedoutbox.PartitionKeyStamp;
import io.orderedoutbox.Stamp;
import io.orderedoutbox.publish.PartitionKeyAspect;
import net.bytebuddy.ByteBuddy;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.aop.framework.ProxyFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * An event that is a proxy: its fields are not those of the event.
 */
@Tag("unit")
class ProxiedEventTests {

	private final Recorder recorder = new Recorder();

	private final Outbox outbox = new PartitionKeyAspect(true).around(this.recorder);

	@Test
	void whatAProxyStandsForIsPublished() {
		Shipped event = new Shipped("k");
		this.outbox.publish(proxy(event, false));
		assertThat(this.recorder.event).isSameAs(event);
		assertThat(this.recorder.stamps).containsExactly(PartitionKeyStamp.of("k"));
	}

	@Test
	void whatAProxyInAnEnvelopeStandsForIsPublished() {
		Shipped event = new Shipped("k");
		this.outbox.publish(OutboxEnvelope.of(proxy(proxy(event, false), false)));
		assertThat(this.recorder.event).isSameAs(event);
		assertThat(this.recorder.stamps).containsExactly(PartitionKeyStamp.of("k"));
	}

	@Test
	void whatAProxyOfAnInterfaceStandsForIsPublished() {
		ProxyFactory factory = new ProxyFactory(new Moved("k"));
		this.outbox.publish(factory.getProxy());
		assertThat(this.recorder.event).isInstanceOf(Moved.class);
		assertThat(this.recorder.stamps).containsExactly(PartitionKeyStamp.of("k"));
	}

	// A restart of the devtools gives all classes of the application up
	@Test
	void theClassOfAnEventIsNotKept() {
		WeakReference<ClassLoader> loader = loaderOfAnEvent();
		Awaitility.await().untilAsserted(() -> {
			System.gc();
			assertThat(loader.get()).isNull();
		});
	}

	private static WeakReference<ClassLoader> loaderOfAnEvent() {
		Class<?> type = new ByteBuddy().subclass(Object.class)
			.make()
			.load(ProxiedEventTests.class.getClassLoader())
			.getLoaded();
		try {
			Object event = type.getConstructor().newInstance();
			assertThat(ProxiedEvent.unwrap(event)).isSameAs(event);
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException(ex);
		}
		return new WeakReference<>(type.getClassLoader());
	}

	@Test
	void keyOfAProxyThatHidesItsTargetIsReadThroughTheGetter() {
		this.outbox.publish(proxy(new WithGetter("k"), true));
		assertThat(this.recorder.stamps).containsExactly(PartitionKeyStamp.of("k"));
	}

	@Test
	void keyOnAFieldOfAProxyThatHidesItsTargetIsRefused() {
		refused(new Shipped("k"));
	}

	@Test
	void keyOnAGetterThatAProxyCannotOverrideIsRefused() {
		refused(new FinalGetter("k"));
		refused(new PrivateGetter("k"));
	}

	@Test
	void explicitKeyHelpsAProxyThatHidesItsTarget() {
		this.outbox.publish(proxy(new Shipped("k"), true), PartitionKeyStamp.of("explicit"));
		assertThat(this.recorder.stamps).containsExactly(PartitionKeyStamp.of("explicit"));
	}

	private void refused(Object event) {
		assertThatExceptionOfType(OutboxPublicationException.class)
			.isThrownBy(() -> this.outbox.publish(proxy(event, true)))
			.withMessageContaining(event.getClass().getName())
			.withMessageContaining("proxy")
			.withMessageContaining("public getter");
		assertThat(this.recorder.event).isNull();
	}

	private static Object proxy(Object target, boolean opaque) {
		ProxyFactory factory = new ProxyFactory(target);
		factory.setProxyTargetClass(true);
		factory.setOpaque(opaque);
		return factory.getProxy();
	}

	@OutboxMessage
	static class Shipped {

		@PartitionKey
		private final String orderId;

		Shipped(String orderId) {
			this.orderId = orderId;
		}

	}

	static class WithGetter {

		@PartitionKey
		private final String orderId;

		WithGetter(String orderId) {
			this.orderId = orderId;
		}

		public String getOrderId() {
			return this.orderId;
		}

	}

	static class FinalGetter {

		private final String orderId;

		FinalGetter(String orderId) {
			this.orderId = orderId;
		}

		@PartitionKey
		public final String getOrderId() {
			return this.orderId;
		}

	}

	static class PrivateGetter {

		private final String orderId;

		PrivateGetter(String orderId) {
			this.orderId = orderId;
		}

		@PartitionKey
		private String getOrderId() {
			return this.orderId;
		}

	}

	interface Movement {

		String orderId();

	}

	record Moved(@PartitionKey String orderId) implements Movement {

	}

	private static final class Recorder implements Outbox {

		private Object event;

		private Stamp[] stamps;

		@Override
		public UUID publish(Object event, Stamp... stamps) {
			this.event = event;
			this.stamps = stamps;
			return new UUID(0, 1);
		}

	}

}
