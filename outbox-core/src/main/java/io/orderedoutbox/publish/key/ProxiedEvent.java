/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish.key;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;

import io.orderedoutbox.OutboxPublicationException;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.SpringProxy;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * The object behind an event that is a proxy of Spring or of Hibernate: key, name and
 * body are taken from this object, because a proxy has empty fields and properties of its
 * own.
 */
public final class ProxiedEvent {

	// By name: most applications of the outbox have no Hibernate
	private static final String HIBERNATE_PROXY = "org.hibernate.proxy.HibernateProxy";

	// Keeps no class: one of an application that is restarted must go
	private static final ClassValue<Optional<Method>> INITIALIZERS = new ClassValue<>() {

		@Override
		protected Optional<Method> computeValue(Class<?> type) {
			return initializer(type);
		}

	};

	private ProxiedEvent() {
	}

	/**
	 * Return the object behind the event, or the event itself if it is no proxy or hides
	 * what is behind it.
	 * @throws OutboxPublicationException if Hibernate cannot load it
	 */
	public static Object unwrap(Object event) {
		Object outer = event;
		Object inner = behind(outer);
		while (inner != outer) {
			outer = inner;
			inner = behind(outer);
		}
		return inner;
	}

	/**
	 * Return whether the type was made at run time to stand in for another.
	 */
	public static boolean isProxy(Class<?> type) {
		return Proxy.isProxyClass(type) || SpringProxy.class.isAssignableFrom(type) || hibernateProxy(type) != null
				|| Stream.of("$$", "$ByteBuddy$", "$MockitoMock$").anyMatch(type.getName()::contains);
	}

	private static Object behind(Object proxy) {
		Object target = ofSpring(proxy);
		return (target != proxy) ? target : ofHibernate(proxy);
	}

	/**
	 * Return the object behind a proxy of Spring. A projection is none: its target is
	 * something else than it seems to be.
	 */
	public static Object ofSpring(Object proxy) {
		Object target = AopProxyUtils.getSingletonTarget(proxy);
		if (target == null) {
			return proxy;
		}
		Class<?>[] types = Proxy.isProxyClass(proxy.getClass()) ? AopProxyUtils.proxiedUserInterfaces(proxy)
				: new Class<?>[] { ClassUtils.getUserClass(proxy) };
		return Arrays.stream(types).allMatch((type) -> type.isInstance(target)) ? target : proxy;
	}

	/**
	 * Return the object behind a proxy of Hibernate, or the event itself if it is none or
	 * cannot be loaded: then nothing else is known about it.
	 */
	public static Object loaded(Object event) {
		try {
			return ofHibernate(event);
		}
		catch (OutboxPublicationException ex) {
			return event;
		}
	}

	private static Object ofHibernate(Object event) {
		Optional<Method> initializer = INITIALIZERS.get(event.getClass());
		return initializer.isPresent() ? load(event, initializer.get()) : event;
	}

	private static Object load(Object proxy, Method initializer) {
		try {
			Object behind = ReflectionUtils.invokeMethod(initializer, proxy);
			Class<?> type = initializer.getReturnType();
			Object target = ReflectionUtils.invokeMethod(type.getMethod("getImplementation"), behind);
			return (target != null) ? target : proxy;
		}
		catch (NoSuchMethodException | RuntimeException ex) {
			throw new OutboxPublicationException(
					"Event %s is a proxy of Hibernate that cannot be loaded, publish the loaded entity, or better a record with what has happened: %s"
						.formatted(proxy.getClass().getName(), ex.getMessage()),
					ex);
		}
	}

	private static Optional<Method> initializer(Class<?> type) {
		Class<?> proxy = hibernateProxy(type);
		return Optional
			.ofNullable((proxy != null) ? ReflectionUtils.findMethod(proxy, "getHibernateLazyInitializer") : null);
	}

	private static @Nullable Class<?> hibernateProxy(Class<?> type) {
		return Arrays.stream(ClassUtils.getAllInterfacesForClass(type))
			.filter((candidate) -> candidate.getName().equals(HIBERNATE_PROXY))
			.findFirst()
			.orElse(null);
	}

}
