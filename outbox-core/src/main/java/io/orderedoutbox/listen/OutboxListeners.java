/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.listen;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

import io.orderedoutbox.OutboxConfigurationException;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.scheduling.annotation.Async;

/**
 * The listeners of the application, by the names of the messages that they take. It finds
 * them while the beans are made, and knows those of a bean from then on.
 */
public final class OutboxListeners implements BeanPostProcessor, BeanFactoryAware, SmartInitializingSingleton {

	private final Map<String, List<ListenerMethod>> byName = new ConcurrentHashMap<>();

	private final Function<Class<?>, String> naming;

	private @Nullable BeanFactory beanFactory;

	/**
	 * Create an empty collection.
	 * @param naming says which name messages of an event type have
	 */
	public OutboxListeners(Function<Class<?>, String> naming) {
		this.naming = naming;
	}

	@Override
	public void setBeanFactory(BeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	/**
	 * Add the listeners of a bean.
	 * @throws OutboxConfigurationException if a listener takes something else than a
	 * payload and perhaps a {@link ReceivedMessage}, cannot be called, or returns before
	 * its work is done, or if there may be several instances of its bean
	 */
	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		Class<?> type = AopUtils.getTargetClass(bean);
		methods(type).forEach((method, annotation) -> {
			requireOne(beanName, method);
			requireDone(type, method);
			add(bean, method, annotation);
		});
		return bean;
	}

	/**
	 * Look at the beans that were not made, and so were never seen.
	 * @throws OutboxConfigurationException if there may be several instances of a bean
	 * with listeners
	 */
	@Override
	public void afterSingletonsInstantiated() {
		if (this.beanFactory instanceof ConfigurableListableBeanFactory beans) {
			ListenerDefinitions definitions = new ListenerDefinitions(beans);
			definitions.refuseSeveralInstances();
			definitions.makeLazyBeans();
		}
	}

	/**
	 * The methods of a class that are listeners.
	 */
	static Map<Method, OutboxListener> methods(Class<?> type) {
		if (!AnnotationUtils.isCandidateClass(type, OutboxListener.class)) {
			return Map.of();
		}
		return MethodIntrospector.selectMethods(type,
				(MethodIntrospector.MetadataLookup<OutboxListener>) (method) -> AnnotatedElementUtils
					.findMergedAnnotation(method, OutboxListener.class));
	}

	private void requireOne(String beanName, Method method) {
		if (this.beanFactory != null && this.beanFactory.containsBean(beanName)
				&& !this.beanFactory.isSingleton(beanName)) {
			throw ListenerDefinitions.refusal(method, beanName);
		}
	}

	private static void requireDone(Class<?> type, Method method) {
		if (ListenerMethod.isAsynchronous(method.getReturnType())
				|| AnnotatedElementUtils.hasAnnotation(method, Async.class)
				|| AnnotatedElementUtils.hasAnnotation(type, Async.class)) {
			throw new OutboxConfigurationException(
					"The @OutboxListener %s returns before its work is done: its message would be removed before that."
						.formatted(method),
					"Let the method do its work before it returns: without @Async, a Future or a reactive type.");
		}
	}

	private void add(Object bean, Method method, OutboxListener annotation) {
		Class<?>[] parameters = method.getParameterTypes();
		if (parameters.length == 0 || parameters.length > 2
				|| (parameters.length == 2 && parameters[1] != ReceivedMessage.class)) {
			throw new OutboxConfigurationException("The @OutboxListener %s cannot be called.".formatted(method),
					"Let it take the payload, and besides it a ReceivedMessage or nothing.");
		}
		Method invocable = invocable(bean, method);
		ListenerMethod listener = new ListenerMethod(bean, invocable, method.getGenericParameterTypes()[0]);
		String[] names = (annotation.value().length > 0) ? annotation.value()
				: new String[] { nameOf(parameters[0], method) };
		Arrays.stream(names)
			.forEach((name) -> this.byName.computeIfAbsent(name, (any) -> new CopyOnWriteArrayList<>()).add(listener));
	}

	private static Method invocable(Object bean, Method method) {
		try {
			Method invocable = AopUtils.selectInvocableMethod(method, bean.getClass());
			invocable.setAccessible(true);
			return invocable;
		}
		catch (IllegalStateException ex) {
			throw new OutboxConfigurationException(
					"The @OutboxListener %s cannot be called: the proxy of its bean does not have it."
						.formatted(method),
					"Do not make it private. Where the proxy has the interfaces of the bean, declare it in one of them, or set spring.aop.proxy-target-class=true.",
					ex);
		}
	}

	private String nameOf(Class<?> payload, Method method) {
		if (payload == byte[].class || payload == String.class) {
			throw nameless(method, null);
		}
		try {
			return this.naming.apply(payload);
		}
		catch (IllegalArgumentException ex) {
			throw nameless(method, ex);
		}
	}

	private static OutboxConfigurationException nameless(Method method, @Nullable IllegalArgumentException ex) {
		return new OutboxConfigurationException(
				"The @OutboxListener %s takes a payload of no event type.".formatted(method),
				"Name its messages: @OutboxListener(\"order.placed\").", ex);
	}

	/**
	 * The listeners of a message, in the order in which their beans were made.
	 * @param name the name of the message
	 */
	List<ListenerMethod> of(String name) {
		return this.byName.getOrDefault(name, List.of());
	}

}
