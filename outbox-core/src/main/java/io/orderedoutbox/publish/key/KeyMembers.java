/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish.key;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.RecordComponent;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import io.orderedoutbox.OutboxPublicationException;
import io.orderedoutbox.PartitionKey;

import org.springframework.core.MethodIntrospector;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.ReflectionUtils.MethodFilter;
import org.springframework.util.StringUtils;

/**
 * The members of a type that {@link PartitionKey} marks, by the name of their property: a
 * component, its field, its accessor and its parameter are one member.
 * <p>
 * A mark at a place from which no key can be read (a setter, or a parameter that belongs
 * to no property) counts only if there is no other: code generators copy annotations to
 * such places.
 */
final class KeyMembers {

	// Kotlin keeps the annotations of a property on a synthetic method of this name
	private static final String OF_KOTLIN_PROPERTY = "$annotations";

	private static final String OF_KOTLIN_INTERFACE = "DefaultImpls";

	// The getter of the property oId is getOId, as if the property were OId
	private final Map<String, KeyAccessor> readable = new TreeMap<>(Comparator.comparing(StringUtils::capitalize));

	private final Map<String, KeyAccessor> unreadable = new TreeMap<>();

	private final Class<?> type;

	private KeyMembers(Class<?> type) {
		this.type = type;
		ReflectionUtils.doWithFields(type,
				(field) -> this.readable.putIfAbsent(field.getName(), KeyMember.of(type, field)),
				(field) -> AnnotationLookup.isPresent(field, PartitionKey.class));
		MethodFilter marked = (method) -> AnnotationLookup.isPresent(method, PartitionKey.class);
		MethodIntrospector.selectMethods(type, marked).forEach(this::addMethod);
		ReflectionUtils.doWithMethods(type, this::addKotlinProperty, KeyMembers::marksKotlinProperty);
		addComponents();
		for (Class<?> declaring = type; declaring != null
				&& !LibraryTypes.contain(declaring); declaring = declaring.getSuperclass()) {
			addKotlinProperties(declaring);
			for (Constructor<?> constructor : declaring.getDeclaredConstructors()) {
				addParameters(constructor);
			}
		}
	}

	/**
	 * Return the marked members of a type, an accessor for each.
	 * @throws MissingTypeException if a member has a type that is not there
	 */
	static Map<String, KeyAccessor> of(Class<?> type) {
		try {
			KeyMembers members = new KeyMembers(type);
			return members.readable.isEmpty() ? members.unreadable : members.readable;
		}
		catch (IllegalStateException | LinkageError ex) {
			throw MissingTypeException.of(type, ex);
		}
	}

	private void addMethod(Method method) {
		if (KeyMember.isGetter(method)) {
			this.readable.put(KeyMember.propertyName(method), KeyMember.of(this.type, method));
		}
		else if (!method.isBridge() && !method.getName().endsWith(OF_KOTLIN_PROPERTY)) {
			addUnreadable("method " + method.getName());
		}
	}

	// Of a property in an interface it is in that interface, or in a class within it
	private void addKotlinProperties(Class<?> type) {
		for (Class<?> declaring : type.getInterfaces()) {
			if (!LibraryTypes.contain(declaring)) {
				addKotlinProperties(declaring);
				addDeclaredKotlinProperties(declaring);
				Stream.of(declaring.getDeclaredClasses())
					.filter((inner) -> inner.getSimpleName().equals(OF_KOTLIN_INTERFACE))
					.forEach(this::addDeclaredKotlinProperties);
			}
		}
	}

	private void addDeclaredKotlinProperties(Class<?> holder) {
		Stream.of(holder.getDeclaredMethods()).filter(KeyMembers::marksKotlinProperty).forEach(this::addKotlinProperty);
	}

	private static boolean marksKotlinProperty(Method method) {
		return method.getName().endsWith(OF_KOTLIN_PROPERTY) && AnnotationLookup.isPresent(method, PartitionKey.class);
	}

	private void addKotlinProperty(Method method) {
		String getter = method.getName().substring(0, method.getName().length() - OF_KOTLIN_PROPERTY.length());
		addProperty(KeyMember.propertyName(getter), "property " + getter);
	}

	private void addComponents() {
		RecordComponent[] components = this.type.getRecordComponents();
		for (RecordComponent component : (components != null) ? components : new RecordComponent[0]) {
			if (AnnotationLookup.isPresent(component, PartitionKey.class)) {
				this.readable.put(component.getName(), KeyMember.of(this.type, component.getAccessor()));
			}
		}
	}

	private void addParameters(Constructor<?> constructor) {
		Parameter[] parameters = constructor.getParameters();
		for (int index = 0; index < parameters.length; index++) {
			if (AnnotationLookup.isPresent(parameters[index], PartitionKey.class)) {
				String name = ConstructorParameters.nameOf(constructor, index);
				addProperty(name, "parameter " + name + " of a constructor");
			}
		}
	}

	private void addProperty(String name, String place) {
		KeyAccessor property = KeyMember.ofProperty(this.type, name);
		if (property != null) {
			this.readable.putIfAbsent(name, property);
		}
		else {
			addUnreadable(place);
		}
	}

	private void addUnreadable(String place) {
		this.unreadable.put(place, (event) -> {
			throw new OutboxPublicationException(
					"@PartitionKey is on the %s, from which no key can be read: put it on a record component, a field or a getter"
						.formatted(place));
		});
	}

}
