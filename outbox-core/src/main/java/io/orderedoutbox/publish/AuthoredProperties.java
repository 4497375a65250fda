/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.EventObject;

import io.orderedoutbox.publish.key.KeyMember;
import io.orderedoutbox.publish.key.LibraryTypes;
import io.orderedoutbox.publish.key.ProxiedEvent;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.AccessorNamingStrategy;
import tools.jackson.databind.introspect.AnnotatedClass;
import tools.jackson.databind.introspect.AnnotatedField;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.introspect.AnnotatedMethod;

import org.springframework.core.ResolvableTypeProvider;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Hides from Jackson what the author of an event has not written: the source and the
 * timestamp of {@link org.springframework.context.ApplicationEvent}, the payload of
 * {@link org.springframework.context.PayloadApplicationEvent}, the type that an event
 * gives to Spring, what Hibernate adds to a proxy, and what an exception of the
 * application inherits. The source is mostly a bean, and its getters would be called. A
 * stack trace shows the inside of the application.
 * <p>
 * What carries an annotation of Jackson, in the class or in a mix-in, was meant, and so
 * is an override that returns a simple value or belongs to a field of the author.
 */
final class AuthoredProperties extends AccessorNamingStrategy.Provider {

	private static final long serialVersionUID = 1L;

	private final AccessorNamingStrategy.Provider naming;

	AuthoredProperties(AccessorNamingStrategy.Provider naming) {
		this.naming = naming;
	}

	@Override
	public AccessorNamingStrategy forPOJO(MapperConfig<?> config, AnnotatedClass type) {
		return new Names(config, type, this.naming.forPOJO(config, type));
	}

	@Override
	public AccessorNamingStrategy forBuilder(MapperConfig<?> config, AnnotatedClass builder, BeanDescription type) {
		return this.naming.forBuilder(config, builder, type);
	}

	@Override
	public AccessorNamingStrategy forRecord(MapperConfig<?> config, AnnotatedClass type) {
		return new Names(config, type, this.naming.forRecord(config, type));
	}

	private static final class Names extends AccessorNamingStrategy {

		private final MapperConfig<?> config;

		private final Class<?> type;

		private final AccessorNamingStrategy naming;

		Names(MapperConfig<?> config, AnnotatedClass type, AccessorNamingStrategy naming) {
			this.config = config;
			this.type = type.getRawType();
			this.naming = naming;
		}

		@Override
		public @Nullable String findNameForIsGetter(AnnotatedMethod method, String name) {
			return isAuthored(method) ? this.naming.findNameForIsGetter(method, name) : null;
		}

		@Override
		public @Nullable String findNameForRegularGetter(AnnotatedMethod method, String name) {
			return isAuthored(method) ? this.naming.findNameForRegularGetter(method, name) : null;
		}

		@Override
		public @Nullable String findNameForMutator(AnnotatedMethod method, String name) {
			return this.naming.findNameForMutator(method, name);
		}

		@Override
		public @Nullable String modifyFieldName(AnnotatedField field, String name) {
			return isAuthored(field) ? this.naming.modifyFieldName(field, name) : null;
		}

		private boolean isAuthored(AnnotatedMember member) {
			boolean inherited = hasFrameworkBehind(this.type) && LibraryTypes.contain(declaring(member));
			return !(inherited || isForFramework(member.getName())) || isAnnotated(member);
		}

		private boolean isForFramework(String method) {
			return (method.equals("getResolvableType") && ResolvableTypeProvider.class.isAssignableFrom(this.type))
					|| (method.equals("getHibernateLazyInitializer") && ProxiedEvent.isProxy(this.type));
		}

		// An exception of a library that an author has put into an event was meant
		private static boolean hasFrameworkBehind(Class<?> type) {
			return EventObject.class.isAssignableFrom(type)
					|| (Throwable.class.isAssignableFrom(type) && !LibraryTypes.contain(type));
		}

		// Jackson shows the method of the superclass, also where a class overrides it. An
		// override that only casts the source still returns the bean
		private Class<?> declaring(AnnotatedMember member) {
			if (member instanceof AnnotatedMethod method) {
				Method specific = ClassUtils.getMostSpecificMethod(method.getAnnotated(), this.type);
				return hasOwnData(specific) ? specific.getDeclaringClass() : member.getDeclaringClass();
			}
			return member.getDeclaringClass();
		}

		private boolean hasOwnData(Method getter) {
			Field field = ReflectionUtils.findField(this.type, KeyMember.propertyName(getter));
			return ClassUtils.isSimpleValueType(getter.getReturnType())
					|| (field != null && !LibraryTypes.contain(field.getDeclaringClass()));
		}

		private boolean isAnnotated(AnnotatedMember member) {
			return this.config.getAnnotationIntrospector().findNameForSerialization(this.config, member) != null;
		}

	}

}
