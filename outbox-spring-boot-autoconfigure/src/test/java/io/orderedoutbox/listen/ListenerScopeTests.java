/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.listen;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.testing.OrderPlaced;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.aop.framework.ProxyFactoryBean;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanDefinitionHolder;
import org.springframework.beans.factory.support.BeanDefinitionReaderUtils;
import org.springframework.beans.factory.support.GenericBeanDefinition;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.context.annotation.AnnotatedBeanDefinitionReader;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.context.support.SimpleThreadScope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * When the application starts, a listener of which there may be several instances is
 * refused, and one of which there is one is made, although nothing there needs an
 * instance.
 */
@Tag("unit")
class ListenerScopeTests {

	private static final AtomicInteger MADE = new AtomicInteger();

	@BeforeEach
	void nothingIsMade() {
		MADE.set(0);
	}

	static Stream<Named<Consumer<GenericApplicationContext>>> severalInstances() {
		return Stream.of(Named.of("a prototype", (context) -> define(context, prototype())),
				Named.of("a prototype behind a proxy of its scope", (context) -> {
					BeanDefinitionHolder holder = new BeanDefinitionHolder(prototype(), "orders");
					BeanDefinitionReaderUtils
						.registerBeanDefinition(ScopedProxyUtils.createScopedProxy(holder, context, true), context);
				}), Named.of("one for each thread", (context) -> {
					context.getBeanFactory().registerScope("thread", new SimpleThreadScope());
					RootBeanDefinition definition = prototype();
					definition.setScope("thread");
					define(context, definition);
				}), Named.of("a method with @Bean", (context) -> {
					new AnnotatedBeanDefinitionReader(context).register(Methods.class);
				}), Named.of("a method with @Bean and a proxy", (context) -> {
					new AnnotatedBeanDefinitionReader(context).register(MethodsWithProxy.class);
				}), Named.of("one that is supplied, as where definitions are made ahead of time", (context) -> {
					RootBeanDefinition definition = prototype();
					definition.setInstanceSupplier(Orders::new);
					define(context, definition);
				}), Named.of("one that inherits its scope", (context) -> {
					RootBeanDefinition parent = prototype();
					parent.setAbstract(true);
					context.registerBeanDefinition("parent", parent);
					GenericBeanDefinition child = new GenericBeanDefinition();
					child.setParentName("parent");
					context.registerBeanDefinition("orders", child);
				}), Named.of("what a factory makes each time", (context) -> {
					define(context, new RootBeanDefinition(MakesEachTime.class));
				}), Named.of("a factory for each time", (context) -> {
					RootBeanDefinition definition = new RootBeanDefinition(MakesOne.class);
					definition.setScope(BeanDefinition.SCOPE_PROTOTYPE);
					define(context, definition);
				}));
	}

	@ParameterizedTest
	@MethodSource("severalInstances")
	void aListenerOfWhichThereMayBeSeveralIsRefused(Consumer<GenericApplicationContext> beans) {
		try (GenericApplicationContext context = context()) {
			beans.accept(context);
			assertThatExceptionOfType(OutboxConfigurationException.class).isThrownBy(context::refresh)
				.withMessageContaining("Orders.placed(")
				.withMessageContaining("is in the bean 'orders', which is no singleton");
			assertThat(MADE).as("instances").hasValue(0);
		}
	}

	static Stream<Named<Consumer<GenericApplicationContext>>> others() {
		return Stream.of(Named.of("a prototype without listeners", (context) -> {
			RootBeanDefinition definition = new RootBeanDefinition(Silent.class);
			definition.setScope(BeanDefinition.SCOPE_PROTOTYPE);
			define(context, definition);
		}), Named.of("a definition that is for others", (context) -> {
			RootBeanDefinition definition = prototype();
			definition.setAbstract(true);
			define(context, definition);
		}), Named.of("a prototype whose class is not there", (context) -> {
			RootBeanDefinition definition = new RootBeanDefinition();
			definition.setBeanClassName("com.example.Missing");
			definition.setScope(BeanDefinition.SCOPE_PROTOTYPE);
			define(context, definition);
		}), Named.of("a prototype of which no type is known", (context) -> {
			RootBeanDefinition definition = new RootBeanDefinition(ProxyFactoryBean.class);
			definition.setScope(BeanDefinition.SCOPE_PROTOTYPE);
			define(context, definition);
		}), Named.of("a singleton without listeners that nothing has needed", (context) -> {
			RootBeanDefinition definition = new RootBeanDefinition(Silent.class);
			definition.setLazyInit(true);
			define(context, definition);
		}));
	}

	@ParameterizedTest
	@MethodSource("others")
	void nothingElseIsRefusedNorMade(Consumer<GenericApplicationContext> beans) {
		try (GenericApplicationContext context = context()) {
			beans.accept(context);
			context.refresh();
			assertThat(MADE).as("instances").hasValue(0);
		}
	}

	@Test
	void oneThatIsMadeAtTheStartIsRefusedThen() {
		try (GenericApplicationContext context = context()) {
			define(context, prototype());
			context.registerBean("needs", Object.class, () -> context.getBean("orders").toString());
			assertThatExceptionOfType(BeanCreationException.class).isThrownBy(context::refresh)
				.havingRootCause()
				.isInstanceOf(OutboxConfigurationException.class)
				.withMessageContaining("is in the bean 'orders', which is no singleton");
		}
	}

	@Test
	void oneWhoseClassIsNotKnownBeforeIsRefusedWhenItIsMade() {
		try (GenericApplicationContext context = context()) {
			RootBeanDefinition definition = new RootBeanDefinition(Object.class);
			definition.setInstanceSupplier(Orders::new);
			definition.setScope(BeanDefinition.SCOPE_PROTOTYPE);
			define(context, definition);
			context.refresh();
			assertThatExceptionOfType(BeanCreationException.class).isThrownBy(() -> context.getBean("orders"))
				.havingRootCause()
				.isInstanceOf(OutboxConfigurationException.class)
				.withMessageContaining("is in the bean 'orders', which is no singleton");
		}
	}

	static Stream<Named<Consumer<GenericApplicationContext>>> singletons() {
		return Stream.of(Named.of("a singleton", (context) -> define(context, new RootBeanDefinition(Orders.class))),
				Named.of("one that nothing has needed", (context) -> {
					RootBeanDefinition definition = new RootBeanDefinition(Orders.class);
					definition.setLazyInit(true);
					define(context, definition);
				}), Named.of("a method with @Bean and @Lazy", (context) -> {
					new AnnotatedBeanDefinitionReader(context).register(LazyMethods.class);
				}), Named.of("all beans are lazy", (context) -> {
					context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor());
					define(context, new RootBeanDefinition(Orders.class));
				}), Named.of("what a factory makes once", (context) -> {
					define(context, new RootBeanDefinition(MakesOne.class));
				}), Named.of("a factory that nothing has needed", (context) -> {
					RootBeanDefinition definition = new RootBeanDefinition(MakesOne.class);
					definition.setLazyInit(true);
					define(context, definition);
				}), Named.of("one that inherits that it is lazy", (context) -> {
					RootBeanDefinition parent = new RootBeanDefinition(Orders.class);
					parent.setAbstract(true);
					parent.setLazyInit(true);
					context.registerBeanDefinition("parent", parent);
					GenericBeanDefinition child = new GenericBeanDefinition();
					child.setParentName("parent");
					context.registerBeanDefinition("orders", child);
				}));
	}

	@ParameterizedTest
	@MethodSource("singletons")
	void aSingletonIsAListener(Consumer<GenericApplicationContext> beans) {
		try (GenericApplicationContext context = context()) {
			beans.accept(context);
			context.refresh();
			assertThat(context.getBean(OutboxListeners.class).of(OrderPlaced.class.getName())).hasSize(1);
			assertThat(MADE).as("instances").hasValue(1);
		}
	}

	private static GenericApplicationContext context() {
		GenericApplicationContext context = new GenericApplicationContext();
		context.registerBean(OutboxListeners.class, () -> new OutboxListeners(Class::getName));
		return context;
	}

	private static RootBeanDefinition prototype() {
		RootBeanDefinition definition = new RootBeanDefinition(Orders.class);
		definition.setScope(BeanDefinition.SCOPE_PROTOTYPE);
		return definition;
	}

	private static void define(GenericApplicationContext context, BeanDefinition definition) {
		context.registerBeanDefinition("orders", definition);
	}

	static class Orders {

		Orders() {
			// A proxy is of a subclass
			if (getClass() == Orders.class) {
				MADE.incrementAndGet();
			}
		}

		@OutboxListener
		void placed(OrderPlaced order) {
			throw new IllegalStateException("Nobody calls it");
		}

	}

	static class Silent {

		Silent() {
			MADE.incrementAndGet();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Methods {

		@Bean
		@Scope("prototype")
		Orders orders() {
			return new Orders();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class LazyMethods {

		@Bean
		@Lazy
		Orders orders() {
			return new Orders();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class MethodsWithProxy {

		@Bean
		@Scope(scopeName = "prototype", proxyMode = ScopedProxyMode.TARGET_CLASS)
		Orders orders() {
			return new Orders();
		}

	}

	static class MakesOne implements FactoryBean<Orders> {

		@Override
		public Orders getObject() {
			return new Orders();
		}

		@Override
		public Class<?> getObjectType() {
			return Orders.class;
		}

	}

	static final class MakesEachTime extends MakesOne {

		@Override
		public boolean isSingleton() {
			return false;
		}

	}

}
