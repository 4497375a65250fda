/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.orderedoutbox.OutboxMessage;
import io.orderedoutbox.PartitionKey;
import io.orderedoutbox.jdbc.Partitions;
import net.bytebuddy.ByteBuddy;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.context.PayloadApplicationEvent;
import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Names that are given, names that are derived, and names that are none.
 */
@Tag("unit")
@SuppressWarnings("serial")
class AnnotatedMessageNamingStrategyTests {

	private final AnnotatedMessageNamingStrategy naming = new AnnotatedMessageNamingStrategy();

	@ParameterizedTest
	@CsvSource({ "OrderPlaced, order.placed", "HTTPRequestSent, http.request.sent", "OrderV2Placed, order.v2.placed",
			"Single, single", "A, a", "ABC, abc", "Order_Placed, order_placed", "Iso8601Read, iso8601.read" })
	void nameIsDerivedFromTheSimpleNameOfTheClass(String simpleName, String name) {
		assertThat(this.naming.nameOf(classOf(simpleName))).isEqualTo(name)
			.matches(AnnotatedMessageNamingStrategy.PATTERN);
	}

	@Test
	void derivedNameDoesNotDependOnTheLocaleOfTheMachine() {
		Locale before = Locale.getDefault();
		Locale.setDefault(Locale.forLanguageTag("tr-TR"));
		try {
			assertThat(this.naming.nameOf(InvoiceIssued.class)).isEqualTo("invoice.issued");
		}
		finally {
			Locale.setDefault(before);
		}
	}

	@Test
	void nameOfTheAnnotationWins() {
		assertThat(this.naming.nameOf(Named.class)).isEqualTo("given.name");
	}

	@Test
	void nameOfTheAnnotationIsInherited() {
		assertThat(this.naming.nameOf(SubclassOfNamed.class)).isEqualTo("given.name");
	}

	@Test
	void annotationWithoutANameLeavesItToTheClass() {
		assertThat(this.naming.nameOf(Unnamed.class)).isEqualTo("unnamed");
	}

	@ParameterizedTest
	@ValueSource(strings = { "a", "order.placed", "order.placed.v2", "order-line.re_opened", "a.2", "a-" })
	void validNames(String name) {
		assertThat(name).matches(AnnotatedMessageNamingStrategy.PATTERN);
	}

	@Test
	void nameMayHave190Characters() {
		assertThat("a".repeat(190)).matches(AnnotatedMessageNamingStrategy.PATTERN);
		assertThat("a".repeat(191)).doesNotMatch(AnnotatedMessageNamingStrategy.PATTERN);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", ".", "a.", ".a", "a..b", "Order.placed", "order placed", "2.order", "-a", "a.-b",
			"order/placed", "ordér", "order.placed\n", "order#", "order.*", "io.Order$Placed" })
	void invalidNames(String name) {
		assertThat(name).doesNotMatch(AnnotatedMessageNamingStrategy.PATTERN);
	}

	static Stream<Object> eventsThatNobodyCouldAnnotate() {
		return Stream.of("text", 7, true, 'c', UUID.randomUUID(), BigDecimal.ONE, Instant.EPOCH, Map.of("a", 1),
				Map.of(), new HashMap<>(), new LinkedHashMap<>(), List.of("a"), List.of(), Arrays.asList("a"),
				new ArrayList<>(), Set.of("a"), Collections.emptyList(), Optional.of("a"), TimeUnit.DAYS, new Object(),
				new int[] { 1 }, Arguments.of((Object) new String[0]), Arguments.of((Object) new OrderPlaced[0]),
				new IllegalStateException("a"), new Properties(), JsonMapper.shared().createObjectNode(),
				new PayloadApplicationEvent<>(AnnotatedMessageNamingStrategyTests.class, "payload"));
	}

	@ParameterizedTest
	@MethodSource("eventsThatNobodyCouldAnnotate")
	void typeThatNobodyCouldAnnotateHasNoName(Object event) {
		assertThatIllegalArgumentException().isThrownBy(() -> this.naming.nameOf(event.getClass()))
			.withMessageContaining("@OutboxMessage")
			.withMessageContaining("MessageNamingStrategy");
	}

	static Stream<Class<?>> typesThatMayBeThoseOfAnyLibrary() {
		return Stream.of(Attributes.class, Lines.class, Turns.class, typeNamed("com.google.protobuf.TypeOfTheTest"),
				typeNamed("com.google.common.base.Splitter"), typeNamed("io.vavr.Tuple2"));
	}

	@ParameterizedTest
	@MethodSource("typesThatMayBeThoseOfAnyLibrary")
	void collectionOrTypeOfAnotherLibraryWithoutAnAnnotationHasNoName(Class<?> type) {
		assertThatIllegalArgumentException().isThrownBy(() -> this.naming.nameOf(type))
			.withMessageContaining("@OutboxMessage")
			.withMessageContaining("MessageNamingStrategy");
	}

	private static Class<?> typeNamed(String name) {
		return new ByteBuddy().subclass(Object.class)
			.name(name)
			.make()
			.load(AnnotatedMessageNamingStrategyTests.class.getClassLoader())
			.getLoaded();
	}

	@Test
	void collectionThatItsAuthorHasAnnotatedHasAName() {
		assertThat(this.naming.nameOf(MarkedAttributes.class)).isEqualTo("marked.attributes");
		assertThat(this.naming.nameOf(NamedAttributes.class)).isEqualTo("attributes.changed");
		assertThat(this.naming.nameOf(KeyedLines.class)).isEqualTo("keyed.lines");
	}

	@Test
	void subclassOfATypeOfTheJdkHasTheNameOfItsAuthor() {
		assertThat(this.naming.nameOf(OrderFailed.class)).isEqualTo("order.failed");
	}

	@Test
	void strategyOfTheApplicationCanNameATypeOfTheJdk() {
		MessageFactory messages = new MessageFactory((type) -> "text.said",
				(publication) -> Route.to("all", publication.name()), new JsonPayloadSerializer(JsonMapper.shared()),
				() -> new UUID(0, 1), new Partitions()::of, DataSize.ofKilobytes(1));
		assertThat(messages.create("text", Stamps.of()).name()).isEqualTo("text.said");
	}

	private static Class<?> classOf(String simpleName) {
		for (Class<?> type : AnnotatedMessageNamingStrategyTests.class.getDeclaredClasses()) {
			if (type.getSimpleName().equals(simpleName)) {
				return type;
			}
		}
		throw new IllegalArgumentException(simpleName);
	}

	record OrderPlaced() {

	}

	record HTTPRequestSent() {

	}

	record OrderV2Placed() {

	}

	record Single() {

	}

	record A() {

	}

	record ABC() {

	}

	record Order_Placed() {

	}

	record Iso8601Read() {

	}

	record InvoiceIssued() {

	}

	@OutboxMessage("given.name")
	static class Named {

	}

	static class SubclassOfNamed extends Named {

	}

	static class Attributes extends HashMap<String, String> {

	}

	@OutboxMessage
	static class MarkedAttributes extends HashMap<String, String> {

	}

	@OutboxMessage("attributes.changed")
	static class NamedAttributes extends HashMap<String, String> {

	}

	record Lines(List<String> lines) implements Iterable<String> {

		@Override
		public Iterator<String> iterator() {
			return this.lines.iterator();
		}

	}

	record KeyedLines(@PartitionKey String orderId, List<String> lines) implements Iterable<String> {

		@Override
		public Iterator<String> iterator() {
			return this.lines.iterator();
		}

	}

	record Turns(Iterator<String> turns) implements Iterator<String> {

		@Override
		public boolean hasNext() {
			return this.turns.hasNext();
		}

		@Override
		public String next() {
			return this.turns.next();
		}

	}

	static class OrderFailed extends IllegalStateException {

	}

	@OutboxMessage
	record Unnamed() {

	}

}
