/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.ecosystem;

import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Stream;

import io.orderedoutbox.MissingPartitionKeyException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.data.repository.CrudRepository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Events that an aggregate registers, and a repository of Spring Data publishes:
 * {@code AbstractAggregateRoot} with JDBC, {@code @DomainEvents} with JPA.
 */
@ParameterizedClass
@EnumSource
class AggregateEventsTests {

	private static Application application;

	private final Persistence persistence;

	AggregateEventsTests(Persistence persistence) {
		this.persistence = persistence;
	}

	@BeforeParameterizedClassInvocation
	static void start(Persistence persistence) {
		application = Application.with(persistence.library).withoutRelay().start();
		application.jdbc()
			.sql("CREATE TABLE shop_order (id VARCHAR(50) PRIMARY KEY, version INT NOT NULL, reference VARCHAR(50) UNIQUE)")
			.update();
	}

	@AfterParameterizedClassInvocation
	static void close() {
		application.close();
	}

	@BeforeEach
	void empty() {
		application.jdbc().sql("DELETE FROM shop_order").update();
		application.jdbc().sql("DELETE FROM outbox_message").update();
	}

	@Test
	void theyAreStoredWithTheAggregateInTheOrderInWhichItRegisteredThem() {
		application.transaction().executeWithoutResult((status) -> {
			orders().save(order("b", 1, 2));
			orders().save(order("a", 3, 4));
			assertThat(application.stored()).isEmpty();
		});
		assertThat(saved()).containsExactly("a", "b");
		assertThat(application.stored())
			.containsExactly(texts(changed("b", 1), changed("b", 2), changed("a", 3), changed("a", 4)));
	}

	@Test
	void aRepositoryThatIsCalledWithoutATransactionStoresThemInItsOwn() {
		orders().save(order("a", 1));
		assertThat(application.stored()).containsExactly(texts(changed("a", 1)));
	}

	@Test
	void aRollbackTakesThem() {
		application.transaction().executeWithoutResult((status) -> {
			orders().save(order("a", 1));
			status.setRollbackOnly();
		});
		assertThat(saved()).isEmpty();
		assertThat(application.stored()).isEmpty();
	}

	@Test
	void eachIsStoredOnceWhenManyAreSaved() {
		List<Order> all = List.of(order("a", 1), order("b", 2));
		application.transaction().executeWithoutResult((status) -> orders().saveAll(all));
		assertThat(application.stored()).containsExactly(texts(changed("a", 1), changed("b", 2)));
	}

	@Test
	void eachIsStoredOnceWhenItsAggregateIsSavedAgain() {
		application.transaction().executeWithoutResult((status) -> {
			Order order = order("a", 1);
			orders().save(order);
			order.change(changed("a", 2));
			orders().save(order);
			orders().save(order);
		});
		assertThat(application.stored()).containsExactly(texts(changed("a", 1), changed("a", 2)));
	}

	@Test
	void whatIsDeletedHasItsEventsStored() {
		orders().save(order("a"));
		application.transaction().executeWithoutResult((status) -> {
			Order order = orders().findById("a").orElseThrow();
			order.change(changed("a", 9));
			orders().delete(order);
		});
		assertThat(saved()).isEmpty();
		assertThat(application.stored()).containsExactly(texts(changed("a", 9)));
	}

	// A repository of JPA translates what it sees
	@Test
	void oneWithoutAKeyIsRefusedAndItsAggregateIsNotSaved() {
		Order order = order("a");
		order.change(changed(null, 1));
		assertThatException().isThrownBy(() -> orders().save(order))
			.matches((ex) -> ex instanceof MissingPartitionKeyException
					|| ex.getCause() instanceof MissingPartitionKeyException)
			.withMessageContaining("has no partition key");
		assertThat(saved()).isEmpty();
		assertThat(application.stored()).isEmpty();
	}

	// With JPA only the flush finds it, which comes after the publication
	@Test
	void anAggregateThatTheDatabaseRefusesTakesThemWithIt() {
		orders().save(this.persistence.create("a", "the same"));
		Order second = this.persistence.create("b", "the same");
		second.change(changed("b", 1));
		assertThatExceptionOfType(DataIntegrityViolationException.class)
			.isThrownBy(() -> application.transaction().executeWithoutResult((status) -> orders().save(second)));
		assertThat(saved()).containsExactly("a");
		assertThat(application.stored()).isEmpty();
	}

	private CrudRepository<Order, String> orders() {
		return this.persistence.repository(application);
	}

	private Order order(String id, int... versions) {
		Order order = this.persistence.create(id, "of " + id);
		for (int version : versions) {
			order.change(changed(id, version));
		}
		return order;
	}

	private static OrderChanged changed(String order, int version) {
		return new OrderChanged(order, version);
	}

	private static String[] texts(OrderChanged... events) {
		return Stream.of(events).map(OrderChanged::text).toArray(String[]::new);
	}

	private static List<String> saved() {
		return application.jdbc().sql("SELECT id FROM shop_order ORDER BY id").query(String.class).list();
	}

	enum Persistence {

		JDBC(Library.DATA_JDBC, JdbcOrders.class, JdbcOrder::new),

		JPA(Library.JPA, JpaOrders.class, JpaOrder::new);

		private final Library library;

		private final Class<? extends CrudRepository<? extends Order, String>> repository;

		private final BiFunction<String, String, Order> constructor;

		Persistence(Library library, Class<? extends CrudRepository<? extends Order, String>> repository,
				BiFunction<String, String, Order> constructor) {
			this.library = library;
			this.repository = repository;
			this.constructor = constructor;
		}

		Order create(String id, String reference) {
			return this.constructor.apply(id, reference);
		}

		@SuppressWarnings("unchecked") // it gets what this constant creates
		CrudRepository<Order, String> repository(Application application) {
			return (CrudRepository<Order, String>) application.bean(this.repository);
		}

	}

}
