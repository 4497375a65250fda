/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.stream.Stream;

import io.orderedoutbox.OutboxMessage;
import io.orderedoutbox.OutboxPublicationException;
import io.orderedoutbox.PartitionKey;
import io.orderedoutbox.PartitionKeyStamp;
import io.orderedoutbox.publish.key.PartitionKeyExtractor;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.description.annotation.AnnotationDescription;
import net.bytebuddy.description.modifier.Ownership;
import net.bytebuddy.description.modifier.SyntheticState;
import net.bytebuddy.description.modifier.Visibility;
import net.bytebuddy.implementation.FixedValue;
import net.bytebuddy.implementation.StubMethod;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.core.annotation.AliasFor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * An annotation of the application that carries ours means the same as ours, wherever it
 * is. Policy, key and name agree about it.
 */
@Tag("unit")
class AnnotationPlacesTests {

	private final AnnotatedPublicationPolicy policy = new AnnotatedPublicationPolicy();

	private final PartitionKeyExtractor extractor = new PartitionKeyExtractor();

	private final AnnotatedMessageNamingStrategy naming = new AnnotatedMessageNamingStrategy();

	static Stream<Named<Object>> composed() {
		return Stream.of(Named.of("field", new OnField()), Named.of("field, two levels", new OnFieldTwice()),
				Named.of("field of a superclass", new OnFieldOfSuperclass()),
				Named.of("field, annotation for fields only", new OnFieldOnly()), Named.of("getter", new OnGetter()),
				Named.of("getter of an interface", new OnInterface("k")),
				Named.of("getter of a superclass, overridden", new Overridden()),
				Named.of("record component", new OnComponent("k", "other")),
				Named.of("record component, annotation for components only", new OnComponentOnly("k", "other")),
				Named.of("record component, annotation for fields only", new OnComponentField("k", "other")),
				Named.of("record component, annotation for methods only", new OnComponentMethod("k", "other")),
				Named.of("record component, annotation for parameters only", new OnComponentParameter("k", "other")),
				Named.of("record component, annotation for types in use", new OnComponentType("k", "other")),
				Named.of("field, annotation for types in use", new OnFieldType()),
				Named.of("getter, annotation for types in use", new OnGetterType()),
				Named.of("type, fixed expression", new OnType("k")),
				Named.of("type, expression by alias", new OnTypeByAlias("k")),
				Named.of("type, inherited", new InheritedType("k")),
				Named.of("type of an interface", new OnTypeOfInterface("k")),
				Named.of("type, with the name", new NameAndKey("k")), Named.of("property of Kotlin", kotlinProperty()),
				Named.of("parameter and getter, one letter before a capital", new OneLetter("k")),
				Named.of("field and getter, one letter before a capital", new OneLetterField("k")));
	}

	@ParameterizedTest
	@MethodSource("composed")
	void aComposedAnnotationMeansTheSameAsOurs(Object event) {
		assertThat(this.policy.isOutboxMessage(event)).isTrue();
		assertThat(this.extractor.extract(event)).isEqualTo(PartitionKeyStamp.of("k"));
	}

	@Test
	void aComposedAnnotationGivesTheName() {
		assertThat(this.naming.nameOf(NameAndKey.class)).isEqualTo("fixed.name");
		assertThat(this.naming.nameOf(NameByAlias.class)).isEqualTo("alias.name");
		assertThat(this.naming.nameOf(NameOfInterface.class)).isEqualTo("alias.name");
		assertThat(this.policy.isOutboxMessage(new NameByAlias())).isTrue();
		assertThat(this.policy.isOutboxMessage(new NameOfInterface())).isTrue();
	}

	@Test
	void anAnnotatedMethodThatCannotBeReadIsRefusedAndNotOverlooked() {
		Object event = new OnSetter();
		assertThat(this.policy.isOutboxMessage(event)).isTrue();
		assertThatExceptionOfType(OutboxPublicationException.class).isThrownBy(() -> this.extractor.extract(event))
			.withMessageContaining(OnSetter.class.getName())
			.withMessageContaining("setOrderId")
			.withMessageContaining("getter");
	}

	@Test
	void anAnnotatedParameterWithoutAPropertyIsRefusedAndNotOverlooked() {
		Object event = new OnParameter("k");
		assertThat(this.policy.isOutboxMessage(event)).isTrue();
		assertThatExceptionOfType(OutboxPublicationException.class).isThrownBy(() -> this.extractor.extract(event))
			.withMessageContaining(OnParameter.class.getName())
			.withMessageContaining("parameter");
	}

	@Test
	void whatACodeGeneratorCopiesToASetterDoesNoHarm() {
		assertThat(this.extractor.extract(new OnFieldAndSetter())).isEqualTo(PartitionKeyStamp.of("k"));
	}

	@Test
	void twoComposedAnnotationsOnTwoMembersAreRefused() {
		assertThatExceptionOfType(OutboxPublicationException.class)
			.isThrownBy(() -> this.extractor.extract(new OnTwoFields()))
			.withMessageContaining("[first, second]");
	}

	// Kotlin keeps what is on a property on a synthetic method beside the getter
	private static Object kotlinProperty() {
		try {
			return new ByteBuddy().subclass(Object.class)
				.name("io.orderedoutbox.publish.KotlinEvent")
				.defineMethod("getOrderId", String.class, Visibility.PUBLIC)
				.intercept(FixedValue.value("k"))
				.defineMethod("getOrderId$annotations", void.class, Visibility.PUBLIC, Ownership.STATIC,
						SyntheticState.SYNTHETIC)
				.intercept(StubMethod.INSTANCE)
				.annotateMethod(AnnotationDescription.Builder.ofType(Identity.class).build())
				.make()
				.load(AnnotationPlacesTests.class.getClassLoader())
				.getLoaded()
				.getConstructor()
				.newInstance();
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@PartitionKey
	@Retention(RetentionPolicy.RUNTIME)
	@interface Identity {

	}

	@Identity
	@Retention(RetentionPolicy.RUNTIME)
	@interface OrderIdentity {

	}

	@PartitionKey
	@Retention(RetentionPolicy.RUNTIME)
	@Target(ElementType.FIELD)
	@interface FieldIdentity {

	}

	@PartitionKey
	@Retention(RetentionPolicy.RUNTIME)
	@Target(ElementType.METHOD)
	@interface MethodIdentity {

	}

	@PartitionKey
	@Retention(RetentionPolicy.RUNTIME)
	@Target(ElementType.RECORD_COMPONENT)
	@interface ComponentIdentity {

	}

	@PartitionKey
	@Retention(RetentionPolicy.RUNTIME)
	@Target(ElementType.PARAMETER)
	@interface ParameterIdentity {

	}

	@PartitionKey
	@Retention(RetentionPolicy.RUNTIME)
	@Target(ElementType.TYPE_USE)
	@interface TypeIdentity {

	}

	@PartitionKey("orderId")
	@Retention(RetentionPolicy.RUNTIME)
	@interface ByOrderId {

	}

	@PartitionKey
	@Retention(RetentionPolicy.RUNTIME)
	@interface By {

		@AliasFor(annotation = PartitionKey.class, attribute = "value")
		String expression();

	}

	@OutboxMessage("fixed.name")
	@PartitionKey("orderId")
	@Retention(RetentionPolicy.RUNTIME)
	@interface OrderEvent {

	}

	@OutboxMessage
	@Retention(RetentionPolicy.RUNTIME)
	@interface DomainEvent {

		@AliasFor(annotation = OutboxMessage.class, attribute = "value")
		String name();

	}

	static class OnField {

		@Identity
		private final String orderId = new String("k");

	}

	static class OnFieldTwice {

		@OrderIdentity
		private final String orderId = new String("k");

	}

	static class OnFieldOfSuperclass extends OnField {

	}

	static class OnFieldOnly {

		@FieldIdentity
		private final String orderId = new String("k");

	}

	static class OnGetter {

		@Identity
		public String getOrderId() {
			return "k";
		}

	}

	static class Overridden extends OnGetter {

		@Override
		public String getOrderId() {
			return "k";
		}

	}

	interface HasOrder {

		@OrderIdentity
		String orderId();

	}

	record OnInterface(String orderId) implements HasOrder {

	}

	record OnComponent(@Identity String orderId, String other) {

	}

	record OnComponentOnly(@ComponentIdentity String orderId, String other) {

	}

	record OnComponentField(@FieldIdentity String orderId, String other) {

	}

	record OnComponentMethod(@MethodIdentity String orderId, String other) {

	}

	record OnComponentParameter(@ParameterIdentity String orderId, String other) {

	}

	record OnComponentType(@TypeIdentity String orderId, String other) {

	}

	static class OnFieldType {

		private final @TypeIdentity String orderId = new String("k");

	}

	static class OnGetterType {

		public @TypeIdentity String getOrderId() {
			return "k";
		}

	}

	@ByOrderId
	record OnType(String orderId) {

	}

	@By(expression = "orderId")
	record OnTypeByAlias(String orderId) {

	}

	@ByOrderId
	static class Typed {

		private final String orderId;

		Typed(String orderId) {
			this.orderId = orderId;
		}

		public String getOrderId() {
			return this.orderId;
		}

	}

	static class InheritedType extends Typed {

		InheritedType(String orderId) {
			super(orderId);
		}

	}

	@By(expression = "orderId()")
	interface KeyedByType {

		String orderId();

	}

	record OnTypeOfInterface(String orderId) implements KeyedByType {

	}

	@OrderEvent
	record NameAndKey(String orderId) {

	}

	@DomainEvent(name = "alias.name")
	static class NameByAlias {

	}

	@DomainEvent(name = "alias.name")
	interface HasName {

	}

	record NameOfInterface() implements HasName {

	}

	static class OnSetter {

		@PartitionKey
		public void setOrderId(String orderId) {
		}

	}

	static class OnParameter {

		OnParameter(@ParameterIdentity String unknown) {
		}

	}

	static class OnFieldAndSetter {

		@PartitionKey
		private String orderId = new String("k");

		@PartitionKey
		public void setOrderId(String orderId) {
			this.orderId = orderId;
		}

	}

	static class OneLetter {

		private final String oId;

		OneLetter(@Identity String oId) {
			this.oId = oId;
		}

		@Identity
		public String getOId() {
			return this.oId;
		}

	}

	static class OneLetterField {

		@Identity
		private final String oId;

		OneLetterField(String oId) {
			this.oId = oId;
		}

		@Identity
		public String getOId() {
			return this.oId;
		}

	}

	static class OnTwoFields {

		@Identity
		private final String first = new String("a");

		@FieldIdentity
		private final String second = new String("b");

	}

}
