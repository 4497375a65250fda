/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish;

import java.beans.PropertyChangeEvent;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.EventObject;
import java.util.Map;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import io.orderedoutbox.PartitionKey;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.description.modifier.Visibility;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.implementation.FixedValue;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.annotation.JsonSerialize;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.util.StdConverter;

import org.springframework.context.ApplicationEvent;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.core.ResolvableType;
import org.springframework.core.ResolvableTypeProvider;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.data.domain.AbstractAggregateRoot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * What the author of an event has written goes over the wire, and nothing else.
 */
@Tag("unit")
@SuppressWarnings("serial")
class JsonPayloadSerializerTests {

	private static final Bean BEAN = new Bean();

	static Stream<Named<Object>> events() {
		return Stream.of(Named.of("event of Spring", new OrderPlaced("a")),
				Named.of("event of Spring with a clock", new Clocked("a")),
				Named.of("event of the JDK", new JdkEvent("a")), Named.of("event with a payload", new WithPayload("a")),
				Named.of("subclass of an event", new Specific("a")),
				Named.of("event with a type for Spring", new Generic("a")),
				Named.of("record with a type for Spring", new GenericRecord<>("a")),
				Named.of("event that casts its source", new Cast("a")),
				Named.of("event whose fields are visible", new ByFields("a")),
				Named.of("event of the JDK with more", new Renamed("a")), Named.of("exception", new OrderFailed("a")),
				Named.of("exception of Spring", new OrderMissing("a")),
				Named.of("aggregate of Spring Data", new Aggregate("a")));
	}

	@Test
	void aBodyThatIsShortIsNotTakenForAnEmptyOne() {
		assertThat(body(JsonMapper.shared(), new IdsPurged())).isEqualTo("[7]");
	}

	static class IdsPurged implements Iterable<Integer> {

		@Override
		public Iterator<Integer> iterator() {
			return List.of(7).iterator();
		}

	}

	@ParameterizedTest
	@MethodSource("events")
	void whatSpringDeclaresIsNotSent(Object event) {
		assertThat(body(JsonMapper.shared(), event)).isEqualTo("{\"orderId\":\"a\"}");
	}

	@ParameterizedTest
	@MethodSource("events")
	void whatSpringDeclaresIsNotSentByAMapperThatWritesFields(Object event) {
		JsonMapper mapper = JsonMapper.builder()
			.changeDefaultVisibility(
					(visibility) -> visibility.withVisibility(PropertyAccessor.ALL, JsonAutoDetect.Visibility.NONE)
						.withVisibility(PropertyAccessor.FIELD, JsonAutoDetect.Visibility.ANY))
			.build();
		assertThat(body(mapper, event)).isEqualTo("{\"orderId\":\"a\"}");
	}

	@Test
	void whatSpringDeclaresIsNotSentInsideAnEventEither() {
		assertThat(body(JsonMapper.shared(), new Nested("n", new OrderPlaced("a"))))
			.isEqualTo("{\"id\":\"n\",\"cause\":{\"orderId\":\"a\"}}");
	}

	@Test
	void anExceptionThatTheAuthorHasPutIntoAnEventIsSent() {
		assertThat(body(JsonMapper.shared(), new Failed("n", new IllegalStateException("full")))).contains("\"full\"");
	}

	@Test
	void theMetaClassOfGroovyIsNotSent() throws ReflectiveOperationException {
		ByteBuddy classes = new ByteBuddy();
		DynamicType.Unloaded<?> metaClass = classes.makeInterface().name("groovy.lang.MetaClass").make();
		Object event = classes.subclass(Object.class)
			.defineMethod("getMetaClass", metaClass.getTypeDescription(), Visibility.PUBLIC)
			.intercept(FixedValue.nullValue())
			.defineMethod("getOrderId", String.class, Visibility.PUBLIC)
			.intercept(FixedValue.value("a"))
			.make()
			.include(metaClass)
			.load(getClass().getClassLoader())
			.getLoaded()
			.getConstructor()
			.newInstance();
		assertThat(body(JsonMapper.shared(), event)).isEqualTo("{\"orderId\":\"a\"}");
	}

	@Test
	void propertiesOfTheAuthorAreSentAlsoWhenSpringHasTheirNames() {
		assertThat(body(JsonMapper.shared(), new OwnSource("web"))).isEqualTo("{\"source\":\"web\"}");
		assertThat(body(JsonMapper.shared(), new OwnFieldAndGetter())).isEqualTo("{\"source\":{\"orderId\":\"a\"}}");
		assertThat(body(JsonMapper.shared(), new OwnTimestamp(7))).isEqualTo("{\"timestamp\":\"at 7\"}");
		assertThat(body(JsonMapper.shared(), new OwnPublicTimestamp())).isEqualTo("{\"timestamp\":\"now\"}");
		assertThat(body(JsonMapper.shared(), new OwnPrivateSource())).isEqualTo("{\"source\":\"web\"}");
		assertThat(body(JsonMapper.shared(), new OwnMessage())).isEqualTo("{\"message\":\"own\"}");
	}

	// Nobody can tell it from a bean that is cast
	@Test
	void anOverriddenSourceThatIsNoSimpleValueNeedsAnAnnotation() {
		assertThat(body(JsonMapper.shared(), new RecordAsSource("a"))).isEqualTo("{\"orderId\":\"a\"}");
		assertThat(body(JsonMapper.shared(), new AnnotatedRecordAsSource("a")))
			.isEqualTo("{\"orderId\":\"a\",\"source\":{\"orderId\":\"a\"}}");
	}

	@Test
	void annotationsOfTheAuthorGoOnWorking() {
		assertThat(body(JsonMapper.shared(), new Annotated("a"))).isEqualTo("{\"order-id\":\"a\"}");
		assertThat(body(JsonMapper.shared(), new ByValue("a"))).isEqualTo("\"a\"");
		assertThat(body(JsonMapper.shared(), new ByAnyGetter())).isEqualTo("{\"any\":1}");
	}

	@Test
	void mixinOfTheAuthorGoesOnWorking() {
		JsonMapper mapper = JsonMapper.builder()
			.addMixIn(ApplicationEvent.class, TimestampPlease.class)
			.propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
			.build();
		assertThat(body(mapper, new OrderPlaced("a"))).startsWith("{\"order_id\":\"a\",")
			.containsPattern("\"timestamp\":\\d+")
			.doesNotContain("source");
	}

	@Test
	void mapperOfTheApplicationStaysAsItIs() {
		JsonMapper mapper = JsonMapper.builder().build();
		new JsonPayloadSerializer(mapper).serialize(new Plain("a"));
		assertThat(mapper.readTree(mapper.writeValueAsString(new Clocked("a"))).has("timestamp")).isTrue();
	}

	static Stream<Named<Object>> eventsWithNothingToSay() {
		return Stream.of(Named.of("record without components", new Nothing()),
				Named.of("private fields", new PrivateFields()),
				Named.of("private fields and an annotation of Jackson", new AnnotatedPrivateFields()),
				Named.of("everything ignored", new Ignored("a")),
				Named.of("event of Spring without more", new NothingButSpring()),
				Named.of("exception without more", new NothingButAnException()),
				Named.of("written as a class without properties", new AsPrivateFields()),
				Named.of("written as an interface without properties", new AsMarker("a")),
				Named.of("converted to a class without properties", new Converted("a")),
				Named.of("payload without more", new PayloadApplicationEvent<>(BEAN, new Plain("a"))));
	}

	@ParameterizedTest
	@MethodSource("eventsWithNothingToSay")
	void eventWithNothingToSayIsRefused(Object event) {
		for (JsonMapper mapper : new JsonMapper[] { JsonMapper.shared(),
				JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build() }) {
			JsonPayloadSerializer serializer = new JsonPayloadSerializer(mapper);
			for (int attempt = 0; attempt < 2; attempt++) {
				assertThatIllegalArgumentException().isThrownBy(() -> serializer.serialize(event))
					.withMessageContaining("{}")
					.withMessageContaining("getter");
			}
		}
	}

	@Test
	void eventWhoseValuesAreAbsentIsNotRefused() {
		JsonMapper mapper = JsonMapper.builder()
			.changeDefaultPropertyInclusion((inclusion) -> inclusion.withValueInclusion(JsonInclude.Include.NON_NULL))
			.build();
		assertThat(body(mapper, new Plain(null))).isEqualTo("{}");
		assertThat(body(mapper, new Attributes())).isEqualTo("{}");
		assertThat(body(mapper, new EmptyAnyGetter())).isEqualTo("{}");
		assertThat(body(mapper, new Typed())).isEqualTo("{\"type\":\"typed\"}");
	}

	private static String body(JsonMapper mapper, Object event) {
		return new String(new JsonPayloadSerializer(mapper).serialize(event).body(), StandardCharsets.UTF_8);
	}

	static class Bean {

		public String getPassword() {
			throw new IllegalStateException("a getter of a bean was called");
		}

	}

	static class Renamed extends PropertyChangeEvent {

		private final String orderId;

		Renamed(String orderId) {
			super(BEAN, "name", BEAN, BEAN);
			this.orderId = orderId;
		}

		public String getOrderId() {
			return this.orderId;
		}

	}

	static class OrderFailed extends Exception {

		private final String orderId;

		OrderFailed(String orderId) {
			super("a password", new IllegalStateException("the cause"));
			this.orderId = orderId;
		}

		public String getOrderId() {
			return this.orderId;
		}

	}

	static class OrderMissing extends DataAccessResourceFailureException {

		private final String orderId;

		OrderMissing(String orderId) {
			super("a password", new IllegalStateException("the cause"));
			this.orderId = orderId;
		}

		public String getOrderId() {
			return this.orderId;
		}

	}

	static class NothingButAnException extends RuntimeException {

	}

	static class OwnMessage extends RuntimeException {

		@Override
		public String getMessage() {
			return "own";
		}

	}

	record Failed(String id, IllegalStateException error) {

	}

	static class Aggregate extends AbstractAggregateRoot<Aggregate> {

		private final String orderId;

		Aggregate(String orderId) {
			this.orderId = orderId;
			registerEvent(BEAN);
		}

		public String getOrderId() {
			return this.orderId;
		}

	}

	static class RecordAsSource extends OrderPlaced {

		RecordAsSource(String orderId) {
			super(orderId);
		}

		@Override
		public Plain getSource() {
			return new Plain(getOrderId());
		}

	}

	static class AnnotatedRecordAsSource extends OrderPlaced {

		AnnotatedRecordAsSource(String orderId) {
			super(orderId);
		}

		@JsonProperty
		@Override
		public Plain getSource() {
			return new Plain(getOrderId());
		}

	}

	@JsonSerialize(as = PrivateFields.class)
	static class AsPrivateFields extends PrivateFields {

		public String getOrderId() {
			return "a";
		}

	}

	interface Marker {

	}

	@JsonSerialize(as = Marker.class)
	record AsMarker(String orderId) implements Marker {

	}

	@JsonSerialize(converter = Conversion.class)
	record Converted(String orderId) {

	}

	static class Conversion extends StdConverter<Converted, PrivateFields> {

		@Override
		public PrivateFields convert(Converted event) {
			return new PrivateFields();
		}

	}

	record Plain(String orderId) {

	}

	static class OrderPlaced extends ApplicationEvent {

		private final String orderId;

		OrderPlaced(String orderId) {
			super(BEAN);
			this.orderId = orderId;
		}

		@PartitionKey
		public String getOrderId() {
			return this.orderId;
		}

	}

	static class Specific extends OrderPlaced {

		Specific(String orderId) {
			super(orderId);
		}

	}

	static class Clocked extends ApplicationEvent {

		private final String orderId;

		Clocked(String orderId) {
			super("source", Clock.systemUTC());
			this.orderId = orderId;
		}

		public String getOrderId() {
			return this.orderId;
		}

	}

	static class JdkEvent extends EventObject {

		private final String orderId;

		JdkEvent(String orderId) {
			super(BEAN);
			this.orderId = orderId;
		}

		public String getOrderId() {
			return this.orderId;
		}

	}

	static class WithPayload extends PayloadApplicationEvent<Bean> {

		private final String orderId;

		WithPayload(String orderId) {
			super(BEAN, BEAN);
			this.orderId = orderId;
		}

		public String getOrderId() {
			return this.orderId;
		}

	}

	static class Generic implements ResolvableTypeProvider {

		private final String orderId;

		Generic(String orderId) {
			this.orderId = orderId;
		}

		public String getOrderId() {
			return this.orderId;
		}

		@Override
		public ResolvableType getResolvableType() {
			return ResolvableType.forClass(getClass());
		}

	}

	record GenericRecord<T>(T orderId) implements ResolvableTypeProvider {

		@Override
		public ResolvableType getResolvableType() {
			return ResolvableType.forClassWithGenerics(GenericRecord.class, ResolvableType.forInstance(this.orderId));
		}

	}

	static class Cast extends OrderPlaced {

		Cast(String orderId) {
			super(orderId);
		}

		@Override
		public Bean getSource() {
			return (Bean) super.getSource();
		}

	}

	@JsonAutoDetect(fieldVisibility = JsonAutoDetect.Visibility.ANY)
	static class ByFields extends ApplicationEvent {

		private final String orderId;

		ByFields(String orderId) {
			super(BEAN);
			this.orderId = orderId;
		}

	}

	record Nested(String id, OrderPlaced cause) {

	}

	static class OwnSource extends ApplicationEvent {

		private final String channel;

		OwnSource(String channel) {
			super(BEAN);
			this.channel = channel;
		}

		@Override
		public String getSource() {
			return this.channel;
		}

	}

	static class OwnFieldAndGetter extends ApplicationEvent {

		private final Plain source = new Plain("a");

		OwnFieldAndGetter() {
			super(BEAN);
		}

		@Override
		public Plain getSource() {
			return this.source;
		}

	}

	static class OwnTimestamp extends ApplicationEvent {

		private final int at;

		OwnTimestamp(int at) {
			super(BEAN);
			this.at = at;
		}

		@JsonProperty("timestamp")
		String at() {
			return "at " + this.at;
		}

	}

	static class OwnPublicTimestamp extends ApplicationEvent {

		public final String timestamp = new String("now");

		OwnPublicTimestamp() {
			super(BEAN);
		}

	}

	static class OwnPrivateSource extends ApplicationEvent {

		@JsonProperty
		private final String source = new String("web");

		OwnPrivateSource() {
			super(BEAN);
		}

	}

	static class Annotated extends ApplicationEvent {

		@JsonProperty("order-id")
		private final String orderId;

		Annotated(String orderId) {
			super(BEAN);
			this.orderId = orderId;
		}

		@JsonIgnore
		public String getSecret() {
			throw new IllegalStateException("not to be called");
		}

	}

	static class ByValue extends ApplicationEvent {

		private final String orderId;

		ByValue(String orderId) {
			super(BEAN);
			this.orderId = orderId;
		}

		@JsonValue
		String orderId() {
			return this.orderId;
		}

	}

	static class ByAnyGetter extends ApplicationEvent {

		ByAnyGetter() {
			super(BEAN);
		}

		@JsonAnyGetter
		public Map<String, Object> all() {
			return Map.of("any", 1);
		}

	}

	abstract static class TimestampPlease {

		@JsonProperty
		abstract long getTimestamp();

	}

	record Nothing() {

	}

	static class PrivateFields {

		@SuppressWarnings("unused")
		private final String orderId = new String("a");

	}

	@JsonInclude(JsonInclude.Include.NON_NULL)
	static class AnnotatedPrivateFields extends PrivateFields {

	}

	record Ignored(@JsonIgnore String orderId) {

	}

	static class NothingButSpring extends ApplicationEvent {

		NothingButSpring() {
			super(BEAN);
		}

	}

	static class Attributes extends java.util.HashMap<String, String> {

	}

	static class EmptyAnyGetter {

		@JsonAnyGetter
		public Map<String, Object> all() {
			return Map.of();
		}

	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
	@JsonTypeName("typed")
	static class Typed {

	}

}
