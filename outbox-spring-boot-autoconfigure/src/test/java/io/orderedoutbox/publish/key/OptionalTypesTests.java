/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish.key;

import java.io.IOException;
import java.io.InputStream;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;

import io.orderedoutbox.OutboxMessage;
import io.orderedoutbox.OutboxPublicationException;
import io.orderedoutbox.PartitionKey;
import io.orderedoutbox.publish.AnnotatedPublicationPolicy;
import io.orderedoutbox.publish.OutboxEventBridge;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Events whose members have a type of an optional library that is not on the class path:
 * the JVM then tells nothing about the members of that kind.
 */
@Tag("unit")
class OptionalTypesTests {

	private final AnnotatedPublicationPolicy policy = new AnnotatedPublicationPolicy();

	@ParameterizedTest
	@ValueSource(
			classes = { InMethod.class, InField.class, InConstructor.class, InComponent.class, InSuperclass.class })
	void anEventOfOthersGoesOnToItsListeners(Class<?> type) throws Exception {
		List<Object> heard = new ArrayList<>();
		Object event = withoutTheLibrary(type);
		try (GenericApplicationContext context = new GenericApplicationContext()) {
			context.addApplicationListener(new OutboxEventBridge(() -> {
				throw new AssertionError("It is none of the outbox");
			}, () -> this.policy, context));
			context.addApplicationListener((PayloadApplicationEvent<?> heardOf) -> heard.add(heardOf.getPayload()));
			context.refresh();
			context.publishEvent(event);
		}
		// A record compares what is not there
		assertThat(heard.size()).isOne();
		assertThat(heard.get(0) == event).isTrue();
	}

	@ParameterizedTest
	@ValueSource(classes = { KeyedMethod.class, KeyedField.class, KeyedParameter.class, KeyedComponent.class,
			KeyedByOwnAnnotation.class, KeyedInSuperclass.class, KeyedInInterface.class, KeyedInKotlin.class,
			Named.class })
	void anEventOfTheOutboxIsRefusedAndToldWhatIsMissing(Class<?> type) throws Exception {
		Object event = withoutTheLibrary(type);
		assertThat(this.policy.isOutboxMessage(event)).isTrue();
		assertThatExceptionOfType(OutboxPublicationException.class)
			.isThrownBy(() -> new PartitionKeyExtractor().extract(event))
			.withMessageContaining(type.getName())
			.withMessageContaining("the class " + OfALibrary.class.getName() + " is missing");
	}

	@Test
	void whereTheLibraryIsThereTheKeyIsRead() {
		assertThat(new PartitionKeyExtractor().extract(new KeyedMethod())).isNotNull();
	}

	// By a handle: to look for a constructor the JVM looks at all of them
	private static Object withoutTheLibrary(Class<?> type) throws Exception {
		Class<?> found = new WithoutLibrary().loadClass(type.getName());
		try {
			return MethodHandles.privateLookupIn(found, MethodHandles.lookup())
				.findConstructor(found, MethodType.methodType(void.class))
				.invoke();
		}
		catch (Throwable ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Has the classes of this test once more, but that of the library.
	 */
	private static final class WithoutLibrary extends ClassLoader {

		WithoutLibrary() {
			super(OptionalTypesTests.class.getClassLoader());
		}

		@Override
		protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
			if (!name.startsWith(OptionalTypesTests.class.getName())) {
				return super.loadClass(name, resolve);
			}
			if (name.equals(OfALibrary.class.getName())) {
				throw new ClassNotFoundException(name);
			}
			Class<?> known = findLoadedClass(name);
			return (known != null) ? known : define(name);
		}

		private Class<?> define(String name) throws ClassNotFoundException {
			try (InputStream file = getResourceAsStream(name.replace('.', '/') + ".class")) {
				byte[] bytes = file.readAllBytes();
				return defineClass(name, bytes, 0, bytes.length);
			}
			catch (IOException ex) {
				throw new ClassNotFoundException(name, ex);
			}
		}

	}

	static class OfALibrary {

	}

	static class InMethod {

		OfALibrary optional() {
			return new OfALibrary();
		}

	}

	static class InField {

		OfALibrary optional;

	}

	static class InConstructor {

		InConstructor() {
		}

		InConstructor(OfALibrary optional) {
		}

	}

	record InComponent(OfALibrary optional) {

		InComponent() {
			this(null);
		}

	}

	static class InSuperclass extends InMethod {

	}

	static class KeyedMethod extends InMethod {

		@PartitionKey
		String getKey() {
			return "a";
		}

	}

	static class KeyedField extends InField {

		@PartitionKey
		String key = "a";

	}

	static class KeyedParameter {

		final String key;

		final OfALibrary optional = null;

		KeyedParameter() {
			this("a");
		}

		KeyedParameter(@OwnKey String key) {
			this.key = key;
		}

	}

	record KeyedComponent(@PartitionKey String key, OfALibrary optional) {

		KeyedComponent() {
			this("a", null);
		}

	}

	static class KeyedByOwnAnnotation {

		@OwnKey
		String key = "a";

		OfALibrary optional;

	}

	static class KeyedInSuperclass extends KeyedByOwnAnnotation {

	}

	interface WithKey {

		@PartitionKey
		String getKey();

		default OfALibrary optional() {
			return new OfALibrary();
		}

	}

	static class KeyedInInterface implements WithKey {

		@Override
		public String getKey() {
			return "a";
		}

	}

	// What Kotlin makes of a property
	interface OfKotlin {

		String getKey();

		final class DefaultImpls {

			private DefaultImpls() {
			}

			@PartitionKey
			static void getKey$annotations() {
			}

		}

	}

	static class KeyedInKotlin extends InMethod implements OfKotlin {

		@Override
		public String getKey() {
			return "a";
		}

	}

	@OutboxMessage("named")
	static class Named extends InMethod {

	}

	@PartitionKey
	@Retention(RetentionPolicy.RUNTIME)
	@interface OwnKey {

	}

}
