/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.test;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;

import io.orderedoutbox.HeaderStamp;
import io.orderedoutbox.MessageIdStamp;
import io.orderedoutbox.test.shop.Keyless;
import io.orderedoutbox.test.shop.OrderEvent;
import io.orderedoutbox.test.shop.OrderPlaced;
import io.orderedoutbox.test.shop.OrderShipped;
import io.orderedoutbox.test.shop.Orders;
import io.orderedoutbox.test.shop.ShopApplication;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Import;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.test.context.ContextConfiguration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * What assertions accept, and what they say when they do not.
 */
@Tag("unit")
@OutboxTest
@ContextConfiguration(classes = ShopApplication.class)
@Import(Orders.class)
class PublishedMessagesAssertTests {

	private static final String JSON = """
			{ "orderId": 42, "total": 9.90, "articles": ["book", "pen"] }
			""";

	@Autowired
	private Orders orders;

	@Autowired
	private PublishedMessages messages;

	@Autowired
	private OutboxRelayDriver relay;

	@Test
	void eachConditionNarrowsDown() {
		UUID id = UUID.randomUUID();
		this.orders.place(1);
		this.orders.publish(new OrderPlaced(42), HeaderStamp.of("channel", "web"), MessageIdStamp.of(id));
		this.orders.ship(42);
		this.orders.publish(new Keyless("text"));
		assertThat(this.messages).published(OrderPlaced.class).times(2);
		assertThat(this.messages).withKey(42L).times(2);
		assertThat(this.messages).withKey("42").named("order.shipped").once();
		assertThat(this.messages).withoutKey().inOrder(new Keyless("text"));
		assertThat(this.messages).withHeader("channel", "web").withId(id).withJson(JSON).once();
		assertThat(this.messages).to("amq.topic", "order.placed").times(2);
		assertThat(this.messages).matching("cheap", (message) -> message.text().contains("9.9")).times(2);
		assertThat(this.messages).published(OrderEvent.class)
			.withKey(42)
			.inOrder(new OrderPlaced(42), new OrderShipped(42));
		assertThat(this.messages).withId(id)
			.messages()
			.extracting(PublishedMessage::name)
			.containsExactly("order.placed");
		assertThat(this.messages).withId(id).json().extractingPath("$.articles[1]").isEqualTo("pen");
	}

	@Test
	void aKeyIsWhatThePublisherMakesOfTheValue() {
		this.orders.place(42);
		this.orders.publish(new Keyless("text"));
		assertThat(this.messages).withKey(OptionalLong.of(42)).once();
		assertThat(this.messages).withKey(Optional.of("42")).once();
		assertThat(this.messages).withKey(new AtomicReference<>(42)).once();
		assertThat(this.messages).withKey(Optional.empty()).inOrder(new Keyless("text"));
		Assertions.assertThatIllegalArgumentException()
			.isThrownBy(() -> assertThat(this.messages).withKey(new int[] { 42 }))
			.withMessageContaining("int[] is no key");
	}

	@Test
	void messagesWithOneIdAreOfTheirOwnEvents() {
		UUID id = UUID.randomUUID();
		this.orders.publish(new OrderPlaced(1), MessageIdStamp.of(id));
		this.orders.publish(new OrderPlaced(2), MessageIdStamp.of(id));
		this.orders.publish(new OrderShipped(2), MessageIdStamp.of(id));
		assertThat(this.messages).withId(id).inOrder(new OrderPlaced(1), new OrderPlaced(2), new OrderShipped(2));
		this.relay.drain();
		assertThat(this.messages.arrived()).withId(id)
			.inOrder(new OrderPlaced(1), new OrderPlaced(2), new OrderShipped(2));
	}

	@Test
	void theEntryOfTheOutboxIsTheSame() {
		this.orders.place(1);
		OutboxAssertions.assertThat(this.messages).published(OrderPlaced.class).withKey(1).once();
	}

	@Test
	void jsonMayHaveMoreThanAConsumerReads() {
		this.orders.place(42);
		assertThat(this.messages).withJson("{ \"total\": 9.90 }")
			.withJson(resource("{ \"orderId\": 42 }"))
			.withExactJson(JSON)
			.withExactJson(resource(JSON));
		error(() -> assertThat(this.messages).withExactJson("{ \"orderId\": 42 }")).hasMessageContaining("articles");
		error(() -> assertThat(this.messages).withJson("{ \"articles\": [\"pen\", \"book\"] }"))
			.hasMessageContaining("articles[0]");
		error(() -> assertThat(this.messages).withJson("{ \"price\": 9.90 }")).hasMessageContaining("price");
	}

	@Test
	void whatIsExpectedIsJson() {
		this.orders.place(42);
		assertThatIllegalStateException().isThrownBy(() -> assertThat(this.messages).withJson("orderId: 42"));
	}

	private static ByteArrayResource resource(String json) {
		return new ByteArrayResource(json.getBytes(StandardCharsets.UTF_8));
	}

	@Test
	void anErrorSaysWhatWasPublishedInstead() {
		this.orders.place(1);
		this.orders.placeOnTheWeb(42);
		error(() -> assertThat(this.messages).as("after placing").published(OrderShipped.class)).hasMessage(
				"""
						[after placing]\s
						Expecting a message
						  of an event of type io.orderedoutbox.test.shop.OrderShipped
						but there are only these:
						  1. order.placed (OrderPlaced), key '1', committed, to 'amq.topic' / 'order.placed': %s
						  2. order.placed (OrderPlaced), key '42', committed, to 'amq.topic' / 'order.placed', headers {channel=web}: %s"""
					.formatted(text(0), text(1)));
		error(() -> assertThat(this.messages).published(OrderPlaced.class).withKey(42).withHeader("channel", "shop"))
			.hasMessageContainingAll("Expecting a message", "OrderPlaced", "with the key '42'",
					"with the header 'channel' = 'shop'", "these come closest:",
					"  1. order.placed (OrderPlaced), key '42'", "and besides these:",
					"  1. order.placed (OrderPlaced), key '1'");
		error(() -> assertThat(this.messages.arrived()).published(OrderPlaced.class))
			.hasMessageContaining("key '1', committed");
	}

	private String text(int index) {
		return this.messages.toList().get(index).text();
	}

	@Test
	void anErrorSaysThatNothingWasPublished() {
		error(() -> assertThat(this.messages).published(OrderPlaced.class))
			.hasMessageEndingWith("nothing was published");
		error(() -> assertThat(this.messages).inOrder(new OrderPlaced(1))).hasMessageContaining("OrderPlaced[orderId=1")
			.hasMessageEndingWith("nothing was published");
		error(() -> assertThat(this.messages).once()).hasMessageEndingWith("nothing was published");
		error(() -> assertThat(this.messages).json()).hasMessageEndingWith("nothing was published");
	}

	@Test
	void orderAndNumberAreThoseOfAllThatIsLeft() {
		this.orders.place(42);
		this.orders.ship(42);
		error(() -> assertThat(this.messages).inOrder(new OrderShipped(42), new OrderPlaced(42)))
			.hasMessageContaining("these were published:");
		error(() -> assertThat(this.messages).inOrder(new OrderPlaced(42))).hasMessageContaining("order.shipped");
		error(() -> assertThat(this.messages)
			.inOrder(new OrderPlaced(42, new BigDecimal("9.91"), List.of("book", "pen")), new OrderShipped(42)))
			.hasMessageContaining("9.91");
		error(() -> assertThat(this.messages).withKey(42).once()).hasMessageContaining("Expecting 1 message")
			.hasMessageContaining("there are 2:");
		error(() -> assertThat(this.messages).published(OrderPlaced.class).times(2))
			.hasMessageContaining("Expecting 2 messages")
			.hasMessageContaining("there are 1:");
	}

	@Test
	void nothingIsNothing() {
		assertThat(this.messages).publishedNothing().publishedNothing(OrderEvent.class);
		this.orders.ship(1);
		assertThat(this.messages).publishedNothing(OrderPlaced.class);
		error(() -> assertThat(this.messages).publishedNothing(OrderEvent.class)).hasMessageContaining("order.shipped");
		error(() -> assertThat(this.messages).publishedNothing()).hasMessageContaining("order.shipped");
	}

	@Test
	void itIsNothingThatWasForgotten() {
		this.orders.ship(1);
		this.messages.clear();
		assertThat(this.messages).publishedNothing();
	}

	private static AbstractThrowableAssert<?, ?> error(org.assertj.core.api.ThrowableAssert.ThrowingCallable work) {
		return Assertions.assertThat(Assertions.catchThrowable(work)).isInstanceOf(AssertionError.class);
	}

}
