/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.test;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import javax.sql.DataSource;

import io.orderedoutbox.DelayStamp;
import io.orderedoutbox.MissingPartitionKeyException;
import io.orderedoutbox.OutboxPublicationException;
import io.orderedoutbox.relay.OneShotResult.Totals;
import io.orderedoutbox.relay.OutboxRelay;
import io.orderedoutbox.relay.RelayState;
import io.orderedoutbox.test.PublishedMessage.State;
import io.orderedoutbox.test.shop.Invoices;
import io.orderedoutbox.test.shop.Keyless;
import io.orderedoutbox.test.shop.OrderEvent;
import io.orderedoutbox.test.shop.OrderPlaced;
import io.orderedoutbox.test.shop.OrderShipped;
import io.orderedoutbox.test.shop.Orders;
import io.orderedoutbox.test.shop.ShopApplication;
import io.orderedoutbox.test.shop.ShopIds;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.transaction.support.TransactionTemplate;

import static io.orderedoutbox.test.OutboxAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A test with the outbox alone.
 */
@Tag("unit")
@OutboxTest(properties = "outbox.ordered=true")
@ContextConfiguration(classes = ShopApplication.class)
@Import(Orders.class)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class OutboxTestTests {

	@Autowired
	private Orders orders;

	@Autowired
	private PublishedMessages messages;

	@Autowired
	private OutboxRelayDriver relay;

	@Autowired
	private TransactionTemplate transaction;

	@Test
	void whatWasCommittedIsSeen() {
		this.orders.place(42);
		assertThat(this.messages).published(OrderPlaced.class).withKey(42).named("order.placed").once();
		assertThat(this.messages).publishedNothing(OrderShipped.class);
		assertThat(this.messages.toList()).extracting(PublishedMessage::state).containsExactly(State.COMMITTED);
		assertThat(this.messages.ofType(OrderEvent.class)).containsExactly(new OrderPlaced(42));
	}

	@Test
	void whatWasRolledBackIsNotSeen() {
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> this.orders.placeAndFail(42));
		assertThat(this.messages).publishedNothing();
		assertThat(this.relay.drain().totals().claimed()).isZero();
	}

	@Test
	void aSavepointTakesOnlyWhatCameAfterIt() {
		this.transaction.executeWithoutResult((status) -> {
			this.orders.place(1);
			assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> this.orders.placeNestedAndFail(2));
			this.orders.ship(1);
			assertThat(this.messages.pending()).inOrder(new OrderPlaced(1), new OrderShipped(1));
		});
		assertThat(this.messages.committed()).inOrder(new OrderPlaced(1), new OrderShipped(1));
	}

	@Test
	void aTransactionOfItsOwnIsCommittedWhateverBecomesOfTheOneAroundIt() {
		this.transaction.executeWithoutResult((status) -> {
			this.orders.place(1);
			this.orders.placeApart(2);
			assertThat(this.messages.committed()).inOrder(new OrderPlaced(2));
			assertThat(this.messages).inOrder(new OrderPlaced(2), new OrderPlaced(1));
			status.setRollbackOnly();
		});
		assertThat(this.messages).inOrder(new OrderPlaced(2));
	}

	@Test
	void nothingArrivesBeforeTheRelayIsDriven() {
		this.orders.place(1);
		this.orders.place(2);
		this.orders.ship(1);
		assertThat(this.messages.arrived()).publishedNothing();
		Totals totals = this.relay.drain().totals();
		assertThat(totals.published()).isEqualTo(3);
		assertThat(totals.failed()).isZero();
		assertThat(this.messages.arrived()).published(OrderEvent.class)
			.withKey(1)
			.inOrder(new OrderPlaced(1), new OrderShipped(1));
		assertThat(this.messages.arrived()).withKey(2).once();
		assertThat(this.messages.toList()).extracting(PublishedMessage::state).containsOnly(State.ARRIVED);
		assertThat(this.relay.drain().totals().claimed()).isZero();
	}

	@Test
	void whatIsNotCommittedIsNotRelayed() {
		this.transaction.executeWithoutResult((status) -> {
			this.orders.place(1);
			assertThat(this.relay.drain().totals().claimed()).isZero();
		});
		assertThat(this.relay.drain().totals().published()).isEqualTo(1);
	}

	@Test
	void aDelayedMessageLeavesWhenTheTestLetsTimePass() {
		this.orders.publish(new OrderPlaced(1), DelayStamp.of(Duration.ofDays(1)));
		this.orders.ship(1);
		this.relay.advance(Duration.ofHours(23));
		assertThat(this.relay.drain().totals().claimed()).isZero();
		this.relay.advance(Duration.ofHours(1));
		this.relay.drain();
		assertThat(this.messages.arrived()).inOrder(new OrderPlaced(1), new OrderShipped(1));
	}

	@Test
	void whatProductionRefusesIsRefused(@Autowired ApplicationEventPublisher events) {
		assertThatExceptionOfType(MissingPartitionKeyException.class)
			.isThrownBy(() -> this.orders.publish(new Keyless("text")));
		assertThatExceptionOfType(OutboxPublicationException.class)
			.isThrownBy(() -> events.publishEvent(new OrderPlaced(1)))
			.withMessageContaining("without a transaction");
		assertThat(this.messages).publishedNothing();
	}

	@Test
	void whatAnotherThreadCommitsIsSeen() {
		CompletableFuture.runAsync(() -> this.orders.place(42)).join();
		assertThat(this.messages).inOrder(new OrderPlaced(42));
	}

	@Test
	@Order(1)
	void aTestLeavesSomethingBehind() {
		this.orders.publish(new OrderPlaced(1), DelayStamp.of(Duration.ofHours(1)));
		this.orders.ship(2);
		this.relay.advance(Duration.ofMinutes(59));
		assertThat(this.messages).published(OrderEvent.class).times(2);
	}

	@Test
	@Order(2)
	void theNextTestSeesNothingOfIt() {
		assertThat(this.messages).publishedNothing();
		assertThat(this.relay.drain().totals().claimed()).isZero();
		this.orders.publish(new OrderPlaced(1), DelayStamp.of(Duration.ofHours(1)));
		this.relay.advance(Duration.ofMinutes(59));
		assertThat(this.relay.drain().totals().claimed()).isZero();
	}

	@Test
	void methodsTakeThemAsParameters(PublishedMessages published, OutboxRelayDriver driver,
			@Autowired PublishedMessages autowired) {
		assertThat(published).isSameAs(this.messages).isSameAs(autowired);
		assertThat(driver).isSameAs(this.relay);
	}

	@Test
	void thereIsNoDatabaseAndNoRelayThatWorksByItself(@Autowired ObjectProvider<DataSource> dataSource,
			@Autowired OutboxRelay background) {
		assertThat(dataSource.stream()).isEmpty();
		assertThat(background.state()).isEqualTo(RelayState.PAUSED);
	}

	@Test
	void ofTheApplicationOnlyThatIsThereWhichDecidesAboutMessages(@Autowired ObjectProvider<ShopIds> ids,
			@Autowired ObjectProvider<Invoices> invoices) {
		assertThat(ids.stream()).hasSize(1);
		assertThat(invoices.stream()).isEmpty();
		this.orders.place(1);
		assertThat(this.messages.toList()).allMatch((message) -> message.messageId().version() == 4);
	}

}
