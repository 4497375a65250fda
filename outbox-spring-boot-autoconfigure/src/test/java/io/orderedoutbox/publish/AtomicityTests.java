/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import io.orderedoutbox.MessageIdStamp;
import io.orderedoutbox.OutboxPublicationException;
import io.orderedoutbox.PartitionKey;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.Business;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.StoredRow;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * An event is in the outbox if and only if its business transaction committed.
 */
class AtomicityTests {

	@AutoClose
	private static OutboxApplication application;

	private Business business;

	@BeforeAll
	static void start() {
		application = OutboxApplication.on(Servers.database().fresh()).withoutRelay().start();
	}

	@BeforeEach
	void empty() {
		this.business = Business.in(application.jdbc());
	}

	@Test
	void commitStoresTheEventsInTheOrderOfPublication() {
		required().executeWithoutResult((status) -> {
			place("b1", "b");
			place("a1", "a");
			place("b2", "b");
		});
		assertThat(this.business.notes()).containsExactly("b1", "a1", "b2");
		assertThat(stored()).containsExactly("b1", "a1", "b2");
	}

	@Test
	void nothingIsStoredBeforeTheCommit() {
		required().executeWithoutResult((status) -> {
			place("early", "a");
			assertThat(application.depth()).isZero();
		});
		assertThat(stored()).containsExactly("early");
	}

	@Test
	void rollbackTakesTheEventsWithIt() {
		assertThatIllegalStateException().isThrownBy(() -> required().executeWithoutResult((status) -> {
			place("lost", "a");
			throw new IllegalStateException("no");
		}));
		required().executeWithoutResult((status) -> {
			place("lost too", "a");
			status.setRollbackOnly();
		});
		assertThat(this.business.notes()).isEmpty();
		assertThat(stored()).isEmpty();
	}

	@Test
	void eventsOfARolledBackTransactionDoNotReachTheNextOnTheSameThread() {
		required().executeWithoutResult((status) -> {
			place("lost", "a");
			status.setRollbackOnly();
		});
		required().executeWithoutResult((status) -> place("kept", "a"));
		assertThat(stored()).containsExactly("kept");
	}

	@Test
	void participatingTransactionSharesTheFateOfTheOutermost() {
		required().executeWithoutResult((outer) -> {
			place("outer", "a");
			required().executeWithoutResult((inner) -> place("inner", "a"));
			assertThat(application.depth()).isZero();
		});
		assertThat(stored()).containsExactly("outer", "inner");
	}

	@Test
	void nestedRollbackRemovesItsEventsAndKeepsTheOthers() {
		required().executeWithoutResult((outer) -> {
			place("before", "a");
			nested().executeWithoutResult((inner) -> {
				place("inside", "a");
				required().executeWithoutResult((participating) -> place("deeper", "b"));
				inner.setRollbackOnly();
			});
			place("after", "a");
		});
		assertThat(this.business.notes()).containsExactly("before", "after");
		assertThat(stored()).containsExactly("before", "after");
	}

	@Test
	void nestedCommitKeepsItsEventsUntilTheOutermostDecides() {
		required().executeWithoutResult((outer) -> {
			nested().executeWithoutResult((inner) -> place("first", "a"));
			assertThat(application.depth()).as("flushed with the nested commit").isZero();
			nested().executeWithoutResult((inner) -> place("second", "a"));
			place("third", "a");
		});
		assertThat(stored()).containsExactly("first", "second", "third");
		required().executeWithoutResult((outer) -> {
			nested().executeWithoutResult((inner) -> place("lost", "a"));
			outer.setRollbackOnly();
		});
		assertThat(stored()).containsExactly("first", "second", "third");
	}

	@Test
	void rollbackOfTheMiddleOfThreeNestedTransactionsTakesTheInnermostWithIt() {
		required().executeWithoutResult((outer) -> {
			place("outer", "a");
			nested().executeWithoutResult((middle) -> {
				place("middle", "a");
				nested().executeWithoutResult((inner) -> place("inner", "a"));
				middle.setRollbackOnly();
			});
			nested().executeWithoutResult((next) -> place("next", "a"));
		});
		assertThat(this.business.notes()).containsExactly("outer", "next");
		assertThat(stored()).containsExactly("outer", "next");
	}

	@Test
	void savepointMadeByHandCutsTheBufferAsOftenAsItIsUsed() {
		required().executeWithoutResult((status) -> {
			place("before", "a");
			Object savepoint = status.createSavepoint();
			place("first try", "a");
			status.rollbackToSavepoint(savepoint);
			place("second try", "a");
			status.rollbackToSavepoint(savepoint);
			place("third try", "a");
			status.releaseSavepoint(savepoint);
		});
		assertThat(this.business.notes()).containsExactly("before", "third try");
		assertThat(stored()).containsExactly("before", "third try");
	}

	@Test
	void requiresNewKeepsItsOwnWhenTheOuterRollsBack() {
		required().executeWithoutResult((outer) -> {
			place("outer", "a");
			requiresNew().executeWithoutResult((inner) -> place("inner", "b"));
			assertThat(stored()).containsExactly("inner");
			outer.setRollbackOnly();
		});
		assertThat(this.business.notes()).containsExactly("inner");
		assertThat(stored()).containsExactly("inner");
	}

	@Test
	void outerKeepsItsOwnWhenRequiresNewRollsBack() {
		required().executeWithoutResult((outer) -> {
			place("before", "a");
			requiresNew().executeWithoutResult((inner) -> {
				place("inner", "b");
				inner.setRollbackOnly();
			});
			place("after", "a");
		});
		assertThat(this.business.notes()).containsExactly("before", "after");
		assertThat(stored()).containsExactly("before", "after");
	}

	@Test
	void suspendedTransactionRefusesAndKeepsWhatItHas() {
		required().executeWithoutResult((outer) -> {
			place("before", "a");
			template(TransactionDefinition.PROPAGATION_NOT_SUPPORTED)
				.executeWithoutResult((none) -> assertThatExceptionOfType(OutboxPublicationException.class)
					.isThrownBy(() -> application.outbox().publish(new OrderPlaced("a", 1)))
					.withMessageContaining("without a transaction"));
			place("after", "a");
		});
		assertThat(stored()).containsExactly("before", "after");
	}

	@ParameterizedTest
	@ValueSource(ints = { TransactionDefinition.PROPAGATION_SUPPORTS, TransactionDefinition.PROPAGATION_MANDATORY })
	void whatJoinsTheTransactionSharesItsFate(int propagation) {
		required().executeWithoutResult((outer) -> {
			place("before", "a");
			template(propagation).executeWithoutResult((inner) -> place("inside", "a"));
			place("after", "a");
		});
		required().executeWithoutResult((outer) -> {
			template(propagation).executeWithoutResult((inner) -> place("lost", "a"));
			outer.setRollbackOnly();
		});
		assertThat(this.business.notes()).containsExactly("before", "inside", "after");
		assertThat(stored()).containsExactly("before", "inside", "after");
	}

	@ParameterizedTest
	@ValueSource(ints = { TransactionDefinition.PROPAGATION_SUPPORTS, TransactionDefinition.PROPAGATION_NOT_SUPPORTED,
			TransactionDefinition.PROPAGATION_NEVER })
	void aTemplateThatBeginsNoTransactionRefuses(int propagation) {
		template(propagation).executeWithoutResult((none) -> assertThatExceptionOfType(OutboxPublicationException.class)
			.isThrownBy(() -> application.outbox().publish(new OrderPlaced("a", 1)))
			.withMessageContaining("without a transaction"));
		assertThat(stored()).isEmpty();
	}

	@Test
	void refusedEventDoesNotDisturbTheTransaction() {
		required().executeWithoutResult((status) -> {
			place("good", "a");
			assertThatExceptionOfType(OutboxPublicationException.class)
				.isThrownBy(() -> application.outbox().publish(new OrderPlaced(null, 1)));
			assertThat(status.isRollbackOnly()).isFalse();
			place("better", "a");
		});
		assertThat(stored()).containsExactly("good", "better");
	}

	@Test
	void returnedIdIsTheStoredOne() {
		UUID id = application.publish(new OrderPlaced("a", 1));
		assertThat(application.rows()).extracting(StoredRow::messageId).containsExactly(id.toString());
	}

	@Test
	void generatedIdsAreVersionSevenAndAscend() {
		List<UUID> ids = new ArrayList<>();
		application.inTransaction((outbox) -> {
			for (int version = 0; version < 100; version++) {
				ids.add(outbox.publish(new OrderPlaced("a", version)));
			}
		});
		assertThat(ids).allMatch((id) -> id.version() == 7 && id.variant() == 2);
		assertThat(ids.stream().map(UUID::toString)).isSorted().doesNotHaveDuplicates();
		assertThat(application.rows()).extracting(StoredRow::messageId)
			.containsExactlyElementsOf(ids.stream().map(UUID::toString).toList());
	}

	@Test
	void givenIdIsKept() {
		UUID given = UUID.fromString("12345678-9abc-4def-8123-456789abcdef");
		application
			.inTransaction((outbox) -> assertThat(outbox.publish(new OrderPlaced("a", 1), MessageIdStamp.of(given)))
				.isEqualTo(given));
		assertThat(application.rows()).extracting(StoredRow::messageId).containsExactly(given.toString());
	}

	private void place(String note, String key) {
		this.business.write(note);
		application.context().publishEvent(new NotePublished(note, key));
	}

	private static List<String> stored() {
		return application.rows()
			.stream()
			.map((row) -> row.text().replaceAll(".*\"note\":\"([^\"]*)\".*", "$1"))
			.toList();
	}

	private static TransactionTemplate required() {
		return application.transaction();
	}

	private static TransactionTemplate nested() {
		return template(TransactionDefinition.PROPAGATION_NESTED);
	}

	private static TransactionTemplate requiresNew() {
		return template(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
	}

	private static TransactionTemplate template(int propagation) {
		TransactionTemplate template = new TransactionTemplate(application.transaction().getTransactionManager());
		template.setPropagationBehavior(propagation);
		return template;
	}

	record NotePublished(String note, @PartitionKey String key) {

	}

}
