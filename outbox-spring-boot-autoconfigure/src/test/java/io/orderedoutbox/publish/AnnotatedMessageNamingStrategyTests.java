package io.orderedoutbox.publish;

import java.util.Locale;

import io.orderedoutbox.OutboxMessage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Names that are given, names that are derived, and names that are none.
 */
@Tag("unit")
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

	@OutboxMessage
	record Unnamed() {

	}

}
