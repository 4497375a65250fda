/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.aot;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.generate.GenerationContext;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.TypeHint;
import org.springframework.aot.hint.TypeReference;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotContribution;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotProcessor;
import org.springframework.beans.factory.aot.BeanFactoryInitializationCode;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurationPackages;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.ResolvableType;
import org.springframework.core.env.Environment;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.util.ClassUtils;

/**
 * Tells a native image of the application's events, whose members are read to find the
 * key and to write or to read the body.
 * <ol>
 * <li>Events are the classes of the application with one of our annotations, in the
 * packages of its auto-configuration and in those of {@code outbox.inbox.type-packages},
 * and the classes of {@code outbox.inbox.types}.</li>
 * <li>With each goes all that can be reached from it: superclasses, interfaces, and the
 * types of its properties.</li>
 * <li>What a package of {@code outbox.inbox.type-packages} contains is written down for
 * {@link EventTypes}, because no package can be searched in an image.</li>
 * </ol>
 * An event that is elsewhere, or that only an envelope makes a message, is not found. The
 * application registers it itself.
 */
final class EventTypeHints implements BeanFactoryInitializationAotProcessor {

	private static final Bindable<Map<String, Class<?>>> TYPES = Bindable.of(ResolvableType
		.forClassWithGenerics(Map.class, ResolvableType.forClass(String.class), ResolvableType.forClass(Class.class)));

	private static final Bindable<List<String>> PACKAGES = Bindable.listOf(String.class);

	@Override
	public @Nullable BeanFactoryInitializationAotContribution processAheadOfTime(
			ConfigurableListableBeanFactory beans) {
		ClassLoader classLoader = beans.getBeanClassLoader();
		EventTypes types = new EventTypes(new DefaultResourceLoader(classLoader));
		Binder binder = Binder
			.get(beans.getBean(ConfigurableApplicationContext.ENVIRONMENT_BEAN_NAME, Environment.class));
		Map<String, List<String>> packages = new TreeMap<>();
		binder.bind("outbox.inbox.type-packages", PACKAGES)
			.orElse(List.of())
			.forEach((name) -> packages.put(name, types.named(name)));
		Set<Class<?>> events = new LinkedHashSet<>(binder.bind("outbox.inbox.types", TYPES).orElse(Map.of()).values());
		packages.values()
			.stream()
			.flatMap(List::stream)
			.forEach((type) -> events.add(ClassUtils.resolveClassName(type, classLoader)));
		if (AutoConfigurationPackages.has(beans)) {
			AutoConfigurationPackages.get(beans).forEach((name) -> events.addAll(types.annotated(name)));
		}
		return new Contribution(packages, events);
	}

	private record Contribution(Map<String, List<String>> packages,
			Set<Class<?>> events) implements BeanFactoryInitializationAotContribution {

		@Override
		public void applyTo(GenerationContext context, BeanFactoryInitializationCode code) {
			RuntimeHints hints = context.getRuntimeHints();
			this.events.forEach((event) -> register(hints.reflection(), event));
			this.packages.forEach((name, types) -> {
				String list = EventTypes.list(name);
				context.getGeneratedFiles().addResourceFile(list, String.join("\n", types));
				hints.resources().registerPattern(list);
			});
		}

		private static void register(ReflectionHints hints, Class<?> event) {
			// What it holds, apart from what others have registered
			ReflectionHints reachable = new ReflectionHints();
			Set<Class<?>> types = new LinkedHashSet<>();
			addHierarchy(event, types);
			Class<?>[] all = types.toArray(Class<?>[]::new);
			new BindingReflectionHintsRegistrar().registerReflectionHints(reachable, all);
			new BindingReflectionHintsRegistrar().registerReflectionHints(hints, all);
			// The key may be in a field, or behind an expression on the type
			Stream.concat(types.stream().map(TypeReference::of), reachable.typeHints().map(TypeHint::getType))
				.filter((type) -> !type.getPackageName().startsWith("java."))
				.forEach((type) -> hints.registerType(type, MemberCategory.ACCESS_DECLARED_FIELDS,
						MemberCategory.INVOKE_DECLARED_METHODS));
		}

		private static void addHierarchy(@Nullable Class<?> type, Set<Class<?>> types) {
			if (type != null && types.add(type)) {
				addHierarchy(type.getSuperclass(), types);
				Stream.of(type.getInterfaces()).forEach((parent) -> addHierarchy(parent, types));
			}
		}

	}

}
