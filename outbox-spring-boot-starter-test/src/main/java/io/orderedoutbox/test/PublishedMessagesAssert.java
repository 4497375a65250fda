/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.orderedoutbox.Destination;
import io.orderedoutbox.PartitionKey;
import org.assertj.core.api.AbstractAssert;
import org.assertj.core.api.Assertions;
import org.assertj.core.api.ListAssert;
import org.assertj.core.api.recursive.comparison.RecursiveComparisonConfiguration;
import org.jspecify.annotations.Nullable;

import org.springframework.core.io.Resource;
import org.springframework.test.json.JsonContentAssert;

/**
 * Assertions about what was published.
 * <ol>
 * <li>Each condition, such as {@link #published(Class)} or {@link #withKey(Object)}, must
 * hold for at least one message, and leaves the messages for which it holds. Those that
 * follow are about these.</li>
 * <li>{@link #once()}, {@link #times(int)} and {@link #inOrder(Object...)} are about all
 * that is left at that point: so name the type, or the key, before them.</li>
 * <li>An error says what was looked for, which messages came closest, and what else was
 * published.</li>
 * </ol>
 */
public final class PublishedMessagesAssert extends AbstractAssert<PublishedMessagesAssert, PublishedMessages> {

	private static final RecursiveComparisonConfiguration FIELD_BY_FIELD = RecursiveComparisonConfiguration.builder()
		.withStrictTypeChecking(true)
		.build();

	private static final Reason NO_REASON = (message) -> null;

	private final List<PublishedMessage> left;

	private final List<String> conditions;

	PublishedMessagesAssert(PublishedMessages actual) {
		this(actual, actual.toList(), List.of());
	}

	private PublishedMessagesAssert(PublishedMessages actual, List<PublishedMessage> left, List<String> conditions) {
		super(actual, PublishedMessagesAssert.class);
		this.left = left;
		this.conditions = conditions;
	}

	/**
	 * A message was made from an event of this type.
	 * @param type the type of the event, or a supertype of several
	 * @return assertions about the messages of this type
	 */
	public PublishedMessagesAssert published(Class<?> type) {
		return with("of an event of type " + type.getName(), (message) -> type.isInstance(message.event()));
	}

	/**
	 * A message has this name.
	 * @param name the name, such as {@code order.placed}
	 * @return assertions about the messages of this name
	 */
	public PublishedMessagesAssert named(String name) {
		return with("named '%s'".formatted(name), (message) -> message.name().equals(name));
	}

	/**
	 * A message has the partition key that an event has in which
	 * {@link PartitionKey @PartitionKey} marks this value.
	 * @param key the key, or a value that is the key when it is written as text. What
	 * holds a value, such as an {@code Optional}, stands for that value; one that is
	 * empty, like a blank text, for no key
	 * @return assertions about the messages of this key
	 * @throws IllegalArgumentException if an event with this value could not be published
	 */
	public PublishedMessagesAssert withKey(Object key) {
		String text = ExpectedKey.text(key);
		return text.isEmpty() ? withoutKey()
				: with("with the key '%s'".formatted(text), (message) -> message.partitionKey().equals(text));
	}

	/**
	 * A message has no partition key.
	 * @return assertions about the messages without a key
	 */
	public PublishedMessagesAssert withoutKey() {
		return with("without a key", (message) -> message.partitionKey().isEmpty());
	}

	/**
	 * A message has this id.
	 * @param messageId the id
	 * @return assertions about the message
	 */
	public PublishedMessagesAssert withId(UUID messageId) {
		return with("with the id " + messageId, (message) -> message.messageId().equals(messageId));
	}

	/**
	 * A message has a header with this value.
	 * @param name the name of the header
	 * @param value the value. A whole number is stored as a {@code Long}, any other
	 * number as a {@code Double}
	 * @return assertions about the messages with the header
	 */
	public PublishedMessagesAssert withHeader(String name, Object value) {
		return with("with the header '%s' = '%s'".formatted(name, value),
				(message) -> Objects.equals(stored(value), message.headers().get(name)));
	}

	private static Object stored(Object value) {
		if (value instanceof Byte || value instanceof Short || value instanceof Integer) {
			return ((Number) value).longValue();
		}
		return (value instanceof Float number) ? Double.valueOf(number.doubleValue()) : value;
	}

	/**
	 * A message goes to this destination.
	 * @param exchange the exchange, or the topic of Kafka
	 * @param routingKey the routing key
	 * @return assertions about the messages that go there
	 */
	public PublishedMessagesAssert to(String exchange, String routingKey) {
		Destination destination = new Destination(exchange, routingKey);
		return with("to '%s' / '%s'".formatted(exchange, routingKey),
				(message) -> message.destination().equals(destination));
	}

	/**
	 * The body of a message has everything that this JSON has: as what a consumer reads
	 * of it. It may have more properties; arrays are the same, in the same order.
	 * @param json the JSON
	 * @return assertions about the messages with such a body
	 */
	public PublishedMessagesAssert withJson(CharSequence json) {
		return withJson(ExpectedJson.part(json.toString()));
	}

	/**
	 * The body of a message has everything that the JSON in this resource has.
	 * @param json where the JSON is, in UTF-8
	 * @return assertions about the messages with such a body
	 */
	public PublishedMessagesAssert withJson(Resource json) {
		return withJson(ExpectedJson.part(ExpectedJson.read(json)));
	}

	/**
	 * The body of a message is this JSON and has nothing more. The order of properties
	 * does not matter.
	 * @param json the JSON
	 * @return assertions about the messages with this body
	 */
	public PublishedMessagesAssert withExactJson(CharSequence json) {
		return withJson(ExpectedJson.whole(json.toString()));
	}

	/**
	 * The body of a message is the JSON in this resource and has nothing more.
	 * @param json where the JSON is, in UTF-8
	 * @return assertions about the messages with this body
	 */
	public PublishedMessagesAssert withExactJson(Resource json) {
		return withJson(ExpectedJson.whole(ExpectedJson.read(json)));
	}

	private PublishedMessagesAssert withJson(ExpectedJson json) {
		return with(json.description(), (message) -> json.difference(message) == null, json::difference);
	}

	/**
	 * A message fulfils a condition.
	 * @param description what errors call the condition
	 * @param condition the condition
	 * @return assertions about the messages that fulfil it
	 */
	public PublishedMessagesAssert matching(String description, Predicate<PublishedMessage> condition) {
		return with(description, condition);
	}

	private PublishedMessagesAssert with(String description, Predicate<PublishedMessage> condition) {
		return with(description, condition, NO_REASON);
	}

	private PublishedMessagesAssert with(String description, Predicate<PublishedMessage> condition, Reason reason) {
		List<String> all = new ArrayList<>(this.conditions);
		all.add(description);
		List<PublishedMessage> fitting = this.left.stream().filter(condition).toList();
		if (fitting.isEmpty()) {
			throw error("a message", all,
					found(this.conditions.isEmpty() ? "there are only these:" : "these come closest:", reason));
		}
		PublishedMessagesAssert narrowed = new PublishedMessagesAssert(this.actual, fitting, all);
		return narrowed.as(descriptionText());
	}

	/**
	 * Exactly one message fulfils all conditions so far.
	 * @return these assertions
	 */
	public PublishedMessagesAssert once() {
		return times(1);
	}

	/**
	 * As many messages as this fulfil all conditions so far.
	 * @param expected how many
	 * @return these assertions
	 */
	public PublishedMessagesAssert times(int expected) {
		if (this.left.size() != expected) {
			throw error(expected + ((expected == 1) ? " message" : " messages"), this.conditions,
					found("there are %d:".formatted(this.left.size()), NO_REASON));
		}
		return this;
	}

	/**
	 * The messages that fulfil all conditions so far were made from these events, in this
	 * order, and from no others. Events are the same if they are of one type and their
	 * fields are the same.
	 * <p>
	 * It looks at the fields as they are now. An event that the code changes after it has
	 * published it is not what the message says: compare its JSON, with
	 * {@link #withJson(CharSequence)}.
	 * @param events the events
	 * @return these assertions
	 */
	public PublishedMessagesAssert inOrder(Object... events) {
		String expected = IntStream.range(0, events.length)
			.mapToObj((index) -> "%n  %d. %s".formatted(index + 1, events[index]))
			.collect(Collectors.joining());
		Assertions.assertThat(this.left.stream().map(PublishedMessage::event).toList())
			.as(descriptionText())
			.overridingErrorMessage(
					() -> looked("exactly these events, in this order%s%nas messages".formatted(expected),
							this.conditions) + found("these were published:", NO_REASON))
			.usingRecursiveFieldByFieldElementComparator(FIELD_BY_FIELD)
			.containsExactlyElementsOf(Arrays.asList(events));
		return this;
	}

	/**
	 * Nothing was published.
	 * @return these assertions
	 */
	public PublishedMessagesAssert publishedNothing() {
		return without("no message", this.left);
	}

	/**
	 * No message was made from an event of this type.
	 * @param type the type of the event, or a supertype of several
	 * @return these assertions
	 */
	public PublishedMessagesAssert publishedNothing(Class<?> type) {
		return without("no message of an event of type " + type.getName(),
				this.left.stream().filter((message) -> type.isInstance(message.event())).toList());
	}

	private PublishedMessagesAssert without(String what, List<PublishedMessage> found) {
		if (!found.isEmpty()) {
			throw error(what, this.conditions, "there are these:" + list(found, NO_REASON));
		}
		return this;
	}

	/**
	 * Go on with the messages that fulfil all conditions so far.
	 * @return AssertJ's assertions about them
	 */
	public ListAssert<PublishedMessage> messages() {
		return Assertions.assertThat(this.left).as(descriptionText());
	}

	/**
	 * Go on with the body of the first message that fulfils all conditions so far.
	 * @return assertions about its JSON
	 */
	public JsonContentAssert json() {
		if (this.left.isEmpty()) {
			throw error("a message", this.conditions, found("", NO_REASON));
		}
		return ExpectedJson.assertThat(this.left.get(0)).as(descriptionText());
	}

	private AssertionError error(String what, List<String> fulfilled, String found) {
		return failure("%s", looked(what, fulfilled) + found);
	}

	private static String looked(String what, List<String> fulfilled) {
		return "%nExpecting %s%s%nbut ".formatted(what,
				fulfilled.stream().map("%n  %s"::formatted).collect(Collectors.joining()));
	}

	private String found(String introduction, Reason reason) {
		List<PublishedMessage> others = this.actual.everything()
			.stream()
			.filter((message) -> !isLeft(message))
			.toList();
		if (this.left.isEmpty()) {
			return others.isEmpty() ? "nothing was published" : "there are only these:" + list(others, NO_REASON);
		}
		return introduction + list(this.left, reason)
				+ (others.isEmpty() ? "" : "%nand besides these:%s".formatted(list(others, NO_REASON)));
	}

	private boolean isLeft(PublishedMessage other) {
		return this.left.stream().anyMatch((message) -> message.messageId().equals(other.messageId()));
	}

	private static String list(List<PublishedMessage> messages, Reason reason) {
		return IntStream.range(0, messages.size()).mapToObj((index) -> {
			PublishedMessage message = messages.get(index);
			String why = reason.of(message);
			return "%n  %d. %s%s".formatted(index + 1, message, (why != null) ? "%n     %s".formatted(why) : "");
		}).collect(Collectors.joining());
	}

	/**
	 * Why a message does not fulfil a condition, {@code null} if that can be seen.
	 */
	@FunctionalInterface
	private interface Reason {

		@Nullable String of(PublishedMessage message);

	}

}
