/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.diagnostics;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.BeanUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.Name;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ReflectionUtils;

/**
 * The properties that Spring Boot binds to beans of the application, whether metadata
 * describe them or not. No bean is created to find out.
 */
public final class BoundProperties {

	// Ours are described, and some of them hold more than anybody may write
	private static final String OURS = "io.orderedoutbox.autoconfigure.";

	private final BeanFactory beans;

	/**
	 * Look up what an application has bound.
	 * @param beans the beans of the application
	 */
	public BoundProperties(BeanFactory beans) {
		this.beans = beans;
	}

	/**
	 * Whether a bean of the application, or of its parent, takes the property.
	 */
	boolean contain(ConfigurationPropertyName name) {
		BeanFactory factory = this.beans;
		while (factory instanceof ConfigurableListableBeanFactory listable) {
			if (Stream.of(listable.getBeanNamesForAnnotation(ConfigurationProperties.class))
				.anyMatch((bean) -> binds(listable, bean, name))) {
				return true;
			}
			factory = listable.getParentBeanFactory();
		}
		return false;
	}

	private static boolean binds(ConfigurableListableBeanFactory beans, String bean, ConfigurationPropertyName name) {
		Class<?> type = beans.getType(bean, false);
		if (type == null || type.getName().startsWith(OURS)) {
			return false;
		}
		ConfigurationProperties bound = annotation(beans, bean);
		ConfigurationPropertyName prefix = (bound != null) ? ConfigurationPropertyName.ofIfValid(bound.prefix()) : null;
		return prefix != null && prefix.isAncestorOf(name)
				&& binds(ResolvableType.forClass(type), name, prefix.getNumberOfElements());
	}

	// Like Spring Boot's: that of a method counts more than that of the class, such as of
	// a second DataSourceProperties
	private static @Nullable ConfigurationProperties annotation(ConfigurableListableBeanFactory beans, String bean) {
		Method method = (beans.containsBeanDefinition(bean)
				&& beans.getMergedBeanDefinition(bean) instanceof RootBeanDefinition definition)
						? definition.getResolvedFactoryMethod() : null;
		ConfigurationProperties ofMethod = (method != null)
				? AnnotatedElementUtils.findMergedAnnotation(method, ConfigurationProperties.class) : null;
		return (ofMethod != null) ? ofMethod : beans.findAnnotationOnBean(bean, ConfigurationProperties.class, false);
	}

	// Whether an object of the type takes what the rest of a name says
	private static boolean binds(ResolvableType type, ConfigurationPropertyName name, int index) {
		if (index == name.getNumberOfElements()) {
			return true;
		}
		Class<?> raw = type.toClass();
		if (raw.isArray() || Map.class.isAssignableFrom(raw) || Collection.class.isAssignableFrom(raw)) {
			return true;
		}
		String element = name.getElement(index, Form.UNIFORM);
		return !BeanUtils.isSimpleValueType(raw) && properties(type).stream()
			.anyMatch((property) -> property.uniform().equals(element) && binds(property.type(), name, index + 1));
	}

	// Those that its constructor takes have fields of the same names
	private static List<Property> properties(ResolvableType type) {
		Class<?> raw = type.toClass();
		List<Property> properties = new ArrayList<>();
		ReflectionUtils.doWithFields(raw,
				(field) -> properties.add(new Property(name(field), ResolvableType.forField(field, type))),
				(field) -> !Modifier.isStatic(field.getModifiers()));
		for (var accessors : BeanUtils.getPropertyDescriptors(raw)) {
			if (accessors.getWriteMethod() != null) {
				properties.add(new Property(accessors.getName(),
						ResolvableType.forMethodParameter(accessors.getWriteMethod(), 0, raw)));
			}
		}
		return properties;
	}

	private static String name(Field field) {
		Name name = field.getAnnotation(Name.class);
		return (name != null) ? name.value() : field.getName();
	}

	private record Property(String name, ResolvableType type) {

		String uniform() {
			return this.name.replaceAll("[^A-Za-z0-9]", "").toLowerCase(Locale.ROOT);
		}

	}

}
