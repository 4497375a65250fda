package io.orderedoutbox.publish;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.UUID;
import java.util.stream.Stream;

import io.orderedoutbox.OutboxPublicationException;
import io.orderedoutbox.PartitionKey;
import io.orderedoutbox.PartitionKeyStamp;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

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

	static Stream<Named<Object>> withoutIdentity() {
		return Stream.of(Named.of("object", new Object()), Named.of("class without toString", new Anonymous()),
				Named.of("strings", new String[] { "a" }), Named.of("numbers", new int[] { 1 }),
				Named.of("nothing", new Thread[0]));
	}

	@ParameterizedTest
	@MethodSource("withoutIdentity")
	void valueWithoutIdentityIsRefused(Object value) {
		refused(new Any(value)).withMessageContaining("toString()")
			.withMessageContaining(value.getClass().getTypeName());
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

	static class Anonymous {

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

}
