/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish;

import java.util.ArrayList;
import java.util.List;

import io.orderedoutbox.OutboxMessage;
import io.orderedoutbox.PartitionKey;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.StoredRow;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.context.event.EventListener;
import org.springframework.core.ResolvableType;
import org.springframework.core.ResolvableTypeProvider;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Forms in which Java lets events be written: they are stored with the key, the name and
 * the body that their author means.
 */
class EventFormsTests {

	@AutoClose
	private static OutboxApplication application;

	@BeforeAll
	static void start() {
		application = OutboxApplication.on(Servers.database().fresh()).withoutRelay().with(Heard.class).start();
	}

	@BeforeEach
	void empty() {
		application.jdbc().sql("DELETE FROM outbox_message").update();
		application.bean(Heard.class).events.clear();
	}

	@Test
	void recordsOfASealedInterfaceHaveItsKeyAndTheirOwnNames() {
		application.publish(new OrderEvent.Placed("a", 1), new OrderEvent.Line.Added("a", "tea"));
		assertThat(application.rows()).extracting(StoredRow::partitionKey).containsExactly("a", "a");
		assertThat(application.rows()).extracting(StoredRow::name).containsExactly("placed", "line.added");
		assertThat(application.rows()).extracting(StoredRow::text)
			.containsExactly("{\"orderId\":\"a\",\"total\":1}", "{\"orderId\":\"a\",\"product\":\"tea\"}");
	}

	@Test
	void aGenericEventIsHeardByItsTypeAndStoredWithoutIt() {
		application.publish(new Created<>("a", new Tea("oolong")), new Created<>("a", 7));
		assertThat(application.rows()).extracting(StoredRow::name).containsExactly("created", "created");
		assertThat(application.rows()).extracting(StoredRow::text)
			.containsExactly("{\"id\":\"a\",\"entity\":{\"sort\":\"oolong\"}}", "{\"id\":\"a\",\"entity\":7}");
		assertThat(application.bean(Heard.class).events).hasSize(1);
	}

	@Test
	void aConstantIsAnEventAlsoIfItHasABodyOfItsOwn() {
		application.publish(ShopEvent.OPENED, ShopEvent.CLOSED);
		assertThat(application.rows()).extracting(StoredRow::name).containsExactly("shop.event", "shop.event");
		assertThat(application.rows()).extracting(StoredRow::partitionKey).containsExactly("shop", "shop");
		assertThat(application.rows()).extracting(StoredRow::text).containsExactly("\"OPENED\"", "\"CLOSED\"");
	}

	sealed interface OrderEvent {

		@PartitionKey
		String orderId();

		record Placed(String orderId, int total) implements OrderEvent {

		}

		sealed interface Line extends OrderEvent {

			@OutboxMessage("line.added")
			record Added(String orderId, String product) implements Line {

			}

		}

	}

	record Created<T>(@PartitionKey String id, T entity) implements ResolvableTypeProvider {

		@Override
		public ResolvableType getResolvableType() {
			return ResolvableType.forClassWithGenerics(getClass(), ResolvableType.forInstance(this.entity));
		}

	}

	record Tea(String sort) {

	}

	enum ShopEvent {

		OPENED,

		CLOSED {

			@Override
			String shop() {
				return super.shop();
			}

		};

		@PartitionKey
		String shop() {
			return "shop";
		}

	}

	static class Heard {

		private final List<Created<Tea>> events = new ArrayList<>();

		@EventListener
		void on(Created<Tea> event) {
			this.events.add(event);
		}

	}

}
