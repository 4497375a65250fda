/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish.key;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.ref.WeakReference;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.orderedoutbox.OutboxMessage;
import io.orderedoutbox.OutboxPublicationException;
import io.orderedoutbox.PartitionKey;
import io.orderedoutbox.PartitionKeyStamp;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.description.modifier.Visibility;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.implementation.FixedValue;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.core.annotation.AliasFor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Where {@link PartitionKey} can be put, and what becomes a key.
 */
@Tag("unit")
class PartitionKeyExtractorTests {

	private final PartitionKeyExtractor extractor = new PartitionKeyExtractor();

	static Stream<Named<Object>> annotated() {
		return Stream.of(Named.of("record component", new Component("k", "other")),
				Named.of("record component with its own accessor", new OwnAccessor("own")),
				Named.of("private field", new PrivateField()), Named.of("getter", new Getter()),
				Named.of("getter without prefix", new PlainGetter()), Named.of("private getter", new PrivateGetter()),
				Named.of("getter of an interface", new InterfaceGetter("k")),
				Named.of("getter of a generic interface", new GenericGetter("k")),
				Named.of("field of a superclass", new InheritedField()),
				Named.of("getter of a superclass, overridden", new OverriddenGetter()),
				Named.of("field and getter of one property", new FieldAndGetter()),
				Named.of("expression: component", new ComponentExpression("k")),
				Named.of("expression: nested", new NestedExpression(new Component("k", "other"))),
				Named.of("expression: property of a bean", new BeanExpression()),
				Named.of("expression: method", new MethodExpression("K")),
				Named.of("expression: inherited", new InheritedExpression()),
				Named.of("expression: of an interface", new InterfaceExpression("k")),
				Named.of("member and expression", new MemberAndExpression("k", "other")));
	}

	@ParameterizedTest
	@MethodSource("unordered")
	void typeThatNeedsNoOrderIsBoundToNone(Object event) {
		assertThat(this.extractor.extract(event)).isEqualTo(PartitionKeyStamp.none());
	}

	static Stream<Named<Object>> unordered() {
		return Stream.of(Named.of("on the type", new Newsletter("all")),
				Named.of("on a superclass", new SpecialNewsletter()),
				Named.of("on an interface", new Advertisement("all")),
				Named.of("by an annotation of the application", new Statistics(1)),
				Named.of("by an attribute of that annotation", new NamedStatistics(1)));
	}

	@Test
	void typeThatSaysNothingHasNoKey() {
		assertThat(this.extractor.extract(new Ordinary("a"))).isNull();
	}

	@Test
	void typeWithAKeyThatNeedsNoOrderIsRefused() {
		assertThatExceptionOfType(OutboxPublicationException.class)
			.isThrownBy(() -> this.extractor.extract(new Contradiction("a")))
			.withMessageContainingAll(Contradiction.class.getName(), "@PartitionKey", "ordered = false");
	}

	@ParameterizedTest
	@MethodSource("annotated")
	void keyIsFoundWhereTheAnnotationIs(Object event) {
		assertThat(KeyAccessor.isAnnotated(event.getClass())).isTrue();
		assertThat(this.extractor.extract(event)).isEqualTo(PartitionKeyStamp.of("k"));
	}

	@Test
	void typeWithoutAnnotationHasNoKey() {
		assertThat(KeyAccessor.isAnnotated(Bare.class)).isFalse();
		assertThat(this.extractor.extract(new Bare("x"))).isNull();
	}

	static Stream<Object> identities() {
		UUID uuid = UUID.fromString("00000000-0000-4000-8000-000000000007");
		return Stream.of(uuid, 7L, Integer.MIN_VALUE, Colour.RED, new StringBuilder("built"), new BigDecimal("1.50"),
				new Value("a", 1), LocalDate.EPOCH);
	}

	@ParameterizedTest
	@MethodSource("identities")
	void keyIsTheTextOfTheValue(Object identity) {
		assertThat(this.extractor.extract(new Any(identity))).isEqualTo(PartitionKeyStamp.of(identity.toString()));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "\t\n", "\u2003" })
	void blankValueIsNoKey(String blank) {
		assertThat(this.extractor.extract(new Any(blank))).isNull();
	}

	@Test
	void nullIsNoKey() {
		assertThat(this.extractor.extract(new Any(null))).isNull();
	}

	@Test
	void keyIsNotTrimmed() {
		assertThat(this.extractor.extract(new Any(" k "))).isEqualTo(PartitionKeyStamp.of(" k "));
	}

	static Stream<Object> holders() {
		return Stream.of(Optional.of("k"), new AtomicReference<>("k"), Optional.of(new AtomicReference<>("k")),
				new AtomicReference<>(Optional.of("k")), Optional.of(Optional.of("k")));
	}

	@ParameterizedTest
	@MethodSource("holders")
	void keyIsWhatAHolderHolds(Object holder) {
		assertThat(this.extractor.extract(new Any(holder))).isEqualTo(PartitionKeyStamp.of("k"));
	}

	static Stream<Object> holdersOfNumbers() {
		return Stream.of(OptionalInt.of(7), OptionalLong.of(7), new AtomicInteger(7), new AtomicLong(7),
				Optional.of(7L), new AtomicReference<>(OptionalLong.of(7)));
	}

	@ParameterizedTest
	@MethodSource("holdersOfNumbers")
	void keyIsTheNumberThatAHolderHolds(Object holder) {
		assertThat(this.extractor.extract(new Any(holder))).isEqualTo(this.extractor.extract(new Any(7)))
			.isEqualTo(PartitionKeyStamp.of("7"));
	}

	@Test
	void keyIsTheFractionThatAHolderHolds() {
		assertThat(this.extractor.extract(new Any(OptionalDouble.of(1.5)))).isEqualTo(PartitionKeyStamp.of("1.5"));
	}

	static Stream<Object> emptyHolders() {
		return Stream.of(Optional.empty(), OptionalInt.empty(), OptionalLong.empty(), OptionalDouble.empty(),
				new AtomicReference<>(), Optional.of(Optional.empty()), new AtomicReference<>(Optional.empty()),
				Optional.of(" "));
	}

	@ParameterizedTest
	@MethodSource("emptyHolders")
	void emptyHolderIsNoKey(Object holder) {
		assertThat(this.extractor.extract(new Any(holder))).isNull();
	}

	@Test
	void expressionThatYieldsAHolderYieldsWhatItHolds() {
		assertThat(this.extractor.extract(new HolderExpression(Optional.of("k")))).isEqualTo(PartitionKeyStamp.of("k"));
		assertThat(this.extractor.extract(new HolderExpression(Optional.empty()))).isNull();
		refused(new ListExpression("a", "b")).withMessageContaining("its id");
	}

	static Stream<Named<Object>> withoutIdentity() {
		return Stream.of(Named.of("object", new Object()), Named.of("class without toString", new Anonymous()),
				Named.of("strings", new String[] { "a" }), Named.of("numbers", new int[] { 1 }),
				Named.of("nothing", new Thread[0]), Named.of("list", List.of("a")), Named.of("set", Set.of("a")),
				Named.of("no element", List.of()), Named.of("map", Map.of("a", 1)), Named.of("stream", Stream.of("a")),
				Named.of("numbers one by one", IntStream.of(1)), Named.of("iterator", List.of("a").iterator()),
				Named.of("supplier", (Supplier<String>) () -> "a"), Named.of("supplier with a text", new Supply()),
				Named.of("function", (Function<String, String>) (text) -> text),
				Named.of("callable", (Callable<String>) () -> "a"), Named.of("task", (Runnable) () -> {
				}), Named.of("future", CompletableFuture.completedFuture("a")),
				Named.of("reference", new WeakReference<>("a")), Named.of("bytes", ByteBuffer.wrap(new byte[] { 1 })),
				Named.of("atomic array", new AtomicLongArray(1)), Named.of("lock", new ReentrantLock()),
				Named.of("text with the identity of the object", new SaysItself()),
				Named.of("record with an array", new WithBytes(new byte[] { 1 })),
				Named.of("record with an object", new Holder(new Anonymous())),
				Named.of("record with an object with a name of its own", new Holder(new Object())),
				Named.of("record with a set", new WithSet("a", Set.of("b"))),
				Named.of("record with a record with a map", new WithRecord(new WithMap(Map.of("a", "b")))),
				Named.of("holder of OpenAPI", valueOfOthers("org.openapitools.jackson.nullable.JsonNullable")),
				Named.of("option of Arrow", valueOfOthers("arrow.core.Option")),
				Named.of("proxy of the JDK", proxyOfTheJdk()), Named.of("proxy of Spring", proxyOfSpring()));
	}

	@ParameterizedTest
	@MethodSource("withoutIdentity")
	void valueWithoutIdentityIsRefused(Object value) {
		refused(new Any(value)).withMessageContaining(value.getClass().getTypeName()).withMessageContaining("its id");
		refused(new Any(Optional.of(value))).withMessageContaining(value.getClass().getTypeName());
	}

	@Test
	void enumIsAKeyWhateverItImplements() {
		assertThat(this.extractor.extract(new Any(Supplying.FIRST))).isEqualTo(PartitionKeyStamp.of("FIRST"));
	}

	@Test
	void textOfAValueMayContainAnAtSign() {
		assertThat(this.extractor.extract(new Any("john.Doe@beef"))).isEqualTo(PartitionKeyStamp.of("john.Doe@beef"));
		Value address = new Value("John.Doe@beef.example", 1);
		assertThat(this.extractor.extract(new Any(address))).isEqualTo(PartitionKeyStamp.of(address.toString()));
	}

	@Test
	void recordWithAListOrASortedSetIsAKey() {
		Ordered value = new Ordered(List.of("b", "a"), new TreeSet<>(Set.of("d", "c")));
		assertThat(this.extractor.extract(new Any(value))).isEqualTo(PartitionKeyStamp.of(value.toString()));
	}

	@Test
	void hostOfAnAddressMayLookLikeAnIdentity() {
		for (String address : List.of("anna.Schmidt@de-mail.de", "jean.Dupont@ac-paris.fr")) {
			Value value = new Value(address, 1);
			assertThat(this.extractor.extract(new Any(value))).isEqualTo(PartitionKeyStamp.of(value.toString()));
		}
	}

	// One event has the number itself, another one the boxed value class
	@Test
	void valueClassOfKotlinIsItsContent() {
		Object orderId = valueClassOfKotlin();
		assertThat(this.extractor.extract(new Any(orderId))).isEqualTo(PartitionKeyStamp.of("5"));
		assertThat(this.extractor.extract(new Any(Optional.of(orderId)))).isEqualTo(PartitionKeyStamp.of("5"));
	}

	// With the method that Kotlin gives to a value class
	private static Object valueClassOfKotlin() {
		return valueOfOthers(new ByteBuddy().subclass(Object.class)
			.name("shop.OrderId")
			.defineMethod("unbox-impl", long.class, Visibility.PUBLIC)
			.intercept(FixedValue.value(5L)));
	}

	private static Object valueOfOthers(String name) {
		return valueOfOthers(new ByteBuddy().subclass(Object.class).name(name));
	}

	private static Object valueOfOthers(DynamicType.Builder<Object> type) {
		try {
			return type.defineMethod("toString", String.class, Visibility.PUBLIC)
				.intercept(FixedValue.value("Held[5]"))
				.make()
				.load(PartitionKeyExtractorTests.class.getClassLoader())
				.getLoaded()
				.getConstructor()
				.newInstance();
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static Object proxyOfTheJdk() {
		return Proxy.newProxyInstance(Keyed.class.getClassLoader(), new Class<?>[] { Keyed.class },
				(proxy, method, arguments) -> "k");
	}

	private static Object proxyOfSpring() {
		ProxyFactory factory = new ProxyFactory(new Getter());
		factory.setProxyTargetClass(true);
		return factory.getProxy();
	}

	@Test
	void twoMembersAreRefused() {
		refused(new TwoMembers("a", "b")).withMessageContaining("[first, second]").withMessageContaining("exactly one");
	}

	@Test
	void memberOfASuperclassCountsAsASecondOne() {
		refused(new SecondInSubclass()).withMessageContaining("[own, stored]");
	}

	@Test
	void annotationOnATypeWithoutExpressionIsRefused() {
		refused(new NoExpression("a")).withMessageContaining("has no expression");
	}

	@ParameterizedTest
	@MethodSource("wrongExpressions")
	void wrongExpressionIsRefusedWithTheNameOfTheEvent(Object event) {
		refused(event);
	}

	static Stream<Object> wrongExpressions() {
		return Stream.of(new Malformed("a"), new NoSuchProperty("a"), new NullOnTheWay(null), new TypeReference("a"));
	}

	@Test
	void exceptionOfAGetterIsRefusedWithTheNameOfTheEvent() {
		refused(new Throwing()).withMessageContaining("not now");
	}

	@Test
	void keyThatIsTooLongIsRefused() {
		assertThat(this.extractor.extract(new Any("😀".repeat(255)))).isNotNull();
		refused(new Any("😀".repeat(256))).withMessageContaining("255");
	}

	@Test
	void unpairedSurrogateIsRefused() {
		refused(new Any("a\ud83d")).withMessageContaining("surrogate");
	}

	private ThrowableAssertAlternative<OutboxPublicationException> refused(Object event) {
		return assertThatExceptionOfType(OutboxPublicationException.class)
			.isThrownBy(() -> this.extractor.extract(event))
			.withMessageContaining(event.getClass().getName());
	}

	enum Colour {

		RED

	}

	record Bare(String key) {

	}

	record Value(String a, int b) {

	}

	record Any(@PartitionKey Object value) {

	}

	record Component(@PartitionKey String key, String other) {

	}

	record OwnAccessor(@PartitionKey String key) {

		@Override
		public String key() {
			return "k";
		}

	}

	static class PrivateField {

		@PartitionKey
		private final String hidden = new String("k");

	}

	static class Getter {

		@PartitionKey
		public String getOrderId() {
			return "k";
		}

	}

	static class PlainGetter {

		@PartitionKey
		public String orderId() {
			return "k";
		}

	}

	static class PrivateGetter {

		@PartitionKey
		private String getOrderId() {
			return "k";
		}

	}

	interface Keyed {

		@PartitionKey
		String orderId();

	}

	record InterfaceGetter(String orderId) implements Keyed {

	}

	interface GenericallyKeyed<T> {

		@PartitionKey
		T orderId();

	}

	record GenericGetter(String orderId) implements GenericallyKeyed<String> {

	}

	static class WithField {

		@PartitionKey
		private final String stored = new String("k");

	}

	static class InheritedField extends WithField {

	}

	static class OverriddenGetter extends Getter {

		@Override
		public String getOrderId() {
			return "k";
		}

	}

	static class FieldAndGetter {

		@PartitionKey
		private final String orderId = new String("raw");

		@PartitionKey
		public String getOrderId() {
			return "k" + this.orderId.substring(3);
		}

	}

	@PartitionKey("key")
	record ComponentExpression(String key) {

	}

	@PartitionKey("order.key")
	record NestedExpression(Component order) {

	}

	@PartitionKey("orderId")
	static class BeanExpression {

		public String getOrderId() {
			return "k";
		}

	}

	@PartitionKey("key.toLowerCase()")
	record MethodExpression(String key) {

	}

	static class InheritedExpression extends BeanExpression {

	}

	@PartitionKey("orderId()")
	interface KeyedByExpression {

		String orderId();

	}

	record InterfaceExpression(String orderId) implements KeyedByExpression {

	}

	@PartitionKey("other")
	record MemberAndExpression(@PartitionKey String key, String other) {

	}

	@PartitionKey("key")
	record HolderExpression(Optional<String> key) {

	}

	@PartitionKey("{first, second}")
	record ListExpression(String first, String second) {

	}

	static class Anonymous {

	}

	static class SaysItself {

		@Override
		public String toString() {
			return "itself: " + super.toString();
		}

	}

	static class Supply implements Supplier<String> {

		@Override
		public String get() {
			return "a";
		}

		@Override
		public String toString() {
			return "supply";
		}

	}

	enum Supplying implements Supplier<String> {

		FIRST;

		@Override
		public String get() {
			return "a";
		}

	}

	record WithBytes(byte[] bytes) {

	}

	record WithSet(String tenant, Set<String> regions) {

	}

	record WithMap(Map<String, String> map) {

	}

	record WithRecord(WithMap inner) {

	}

	record Ordered(List<String> list, TreeSet<String> set) {

	}

	record Holder(Object value) {

	}

	record TwoMembers(@PartitionKey String first, @PartitionKey String second) {

	}

	static class SecondInSubclass extends WithField {

		@PartitionKey
		private final String own = new String("k");

	}

	@PartitionKey
	record NoExpression(String key) {

	}

	@PartitionKey("key.")
	record Malformed(String key) {

	}

	@PartitionKey("keys")
	record NoSuchProperty(String key) {

	}

	@PartitionKey("order.key")
	record NullOnTheWay(Component order) {

	}

	@PartitionKey("T(java.lang.System).exit(1)")
	record TypeReference(String key) {

	}

	static class Throwing {

		@PartitionKey
		public String getOrderId() {
			throw new IllegalStateException("not now");
		}

	}

	@OutboxMessage(ordered = false)
	private static class Newsletter {

		final String to;

		Newsletter(String to) {
			this.to = to;
		}

	}

	private static final class SpecialNewsletter extends Newsletter {

		SpecialNewsletter() {
			super("some");
		}

	}

	@OutboxMessage(ordered = false)
	private interface Public {

	}

	private record Advertisement(String to) implements Public {

	}

	@Retention(RetentionPolicy.RUNTIME)
	@OutboxMessage(ordered = false)
	private @interface Figures {

		@AliasFor(annotation = OutboxMessage.class, attribute = "value")
		String name() default "";

		@AliasFor(annotation = OutboxMessage.class, attribute = "ordered")
		boolean inOrder() default false;

	}

	@Figures
	private record Statistics(int count) {

	}

	@Figures(name = "statistics.named", inOrder = false)
	private record NamedStatistics(int count) {

	}

	@OutboxMessage("ordinary")
	private record Ordinary(String id) {

	}

	@OutboxMessage(ordered = false)
	private record Contradiction(@PartitionKey String id) {

	}

}
