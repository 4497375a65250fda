/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

import io.orderedoutbox.publish.OutboxTransactionListener;
import io.orderedoutbox.transaction.LateTransactionListener;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.scope.ScopedObject;
import org.springframework.beans.factory.BeanCurrentlyInCreationException;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.HierarchicalBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.PriorityOrdered;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.TransactionExecutionListener;

/**
 * Adds outboxes to every transaction manager, those that the application defines itself
 * included: Boot's own customizers only reach the ones that Boot makes.
 * <p>
 * A manager may be made together with the post-processors: a configurer or an advisor of
 * the application needs it. So this one is among the first, and makes no outbox then. It
 * looks once more when all singletons are there, for what was made even before it, and
 * for the managers of parent contexts that have no such outbox themselves. A manager of a
 * scope is found when the scope makes it, and not through its proxy, behind which there
 * is none outside of the scope.
 */
public class OutboxTransactionListenerRegistrar
		implements BeanPostProcessor, PriorityOrdered, SmartInitializingSingleton, DisposableBean {

	private final ConfigurableListableBeanFactory beans;

	private final Map<String, LateTransactionListener> listeners = new LinkedHashMap<>();

	private final Set<ConfigurableTransactionManager> ofParents = new LinkedHashSet<>();

	/**
	 * Create a registrar.
	 * @param beans where the outboxes are
	 * @param outboxes the names of the beans by which an outbox is made
	 * @param transactions what follows the transactions of such an outbox, by the name of
	 * its bean
	 */
	protected OutboxTransactionListenerRegistrar(ConfigurableListableBeanFactory beans, List<String> outboxes,
			Function<String, TransactionExecutionListener> transactions) {
		this.beans = beans;
		outboxes.forEach((outbox) -> this.listeners.put(outbox,
				new LateTransactionListener(() -> listener(outbox, transactions))));
	}

	// A transaction of what the outbox is being made of cannot publish to it. One of
	// another thread does not wait for the outbox: what it is made of may wait for that
	// thread
	private @Nullable TransactionExecutionListener listener(String outbox,
			Function<String, TransactionExecutionListener> transactions) {
		if (this.beans.isCurrentlyInCreation(outbox)) {
			return null;
		}
		try {
			return transactions.apply(outbox);
		}
		catch (RuntimeException ex) {
			if (NestedExceptionUtils.getMostSpecificCause(ex) instanceof BeanCurrentlyInCreationException) {
				return null;
			}
			throw ex;
		}
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (bean instanceof ConfigurableTransactionManager manager && !(bean instanceof ScopedObject)) {
			this.listeners.values().forEach((listener) -> OutboxTransactionListener.register(listener, manager));
		}
		return bean;
	}

	@Override
	public void afterSingletonsInstantiated() {
		madeIn(this.beans, (manager) -> postProcessAfterInitialization(manager, ""));
		// A bean of a context that closes may begin the first transaction of all, when
		// none can be made any more
		this.listeners.forEach((outbox, listener) -> {
			if (this.beans.containsSingleton(outbox)) {
				listener.find();
			}
		});
		BeanFactory parent = this.beans.getParentBeanFactory();
		while (parent instanceof ConfigurableListableBeanFactory factory) {
			madeIn(factory, this::follow);
			parent = ((HierarchicalBeanFactory) parent).getParentBeanFactory();
		}
	}

	// What is not made yet gets here when it is, and in a parent it stays as it is
	private static void madeIn(ConfigurableListableBeanFactory factory,
			Consumer<ConfigurableTransactionManager> action) {
		for (String name : factory.getBeanNamesForType(ConfigurableTransactionManager.class, true, false)) {
			if (factory.containsSingleton(name)
					&& factory.getBean(name) instanceof ConfigurableTransactionManager manager
					&& !(manager instanceof ScopedObject)) {
				action.accept(manager);
			}
		}
	}

	private void follow(ConfigurableTransactionManager manager) {
		this.listeners.forEach((outbox, listener) -> {
			if (this.beans.containsLocalBean(outbox)) {
				OutboxTransactionListener.register(listener, manager);
				this.ofParents.add(manager);
			}
		});
	}

	/**
	 * Leave the managers that go on when the context of the outboxes is closed. A
	 * transaction that has begun still stores what it has published.
	 */
	@Override
	public void destroy() {
		this.listeners.values()
			.forEach((listener) -> listener.leave(() -> this.ofParents
				.forEach((manager) -> OutboxTransactionListener.unregister(listener, manager))));
	}

	@Override
	public int getOrder() {
		return HIGHEST_PRECEDENCE;
	}

	/**
	 * Adds the outbox without a name.
	 */
	static final class OfDefault extends OutboxTransactionListenerRegistrar {

		private static final String LISTENER = "orderedOutboxTransactionListener";

		OfDefault(ConfigurableListableBeanFactory beans) {
			super(beans, List.of(LISTENER), (name) -> beans.getBean(name, OutboxTransactionListener.class));
		}

	}

}
