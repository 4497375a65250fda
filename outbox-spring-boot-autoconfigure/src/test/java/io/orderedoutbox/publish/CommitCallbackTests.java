/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

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
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.event.EventListener;
import org.springframework.core.Ordered;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.event.TransactionPhase;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Events that are published while a transaction ends: those that can still be written
 * are, the others are refused.
 */
class CommitCallbackTests {

	@AutoClose
	private static OutboxApplication application;

	@BeforeAll
	static void start() {
		application = OutboxApplication.on(Servers.database().fresh()).withoutRelay().with(Cascade.class).start();
	}

	@BeforeEach
	void empty() {
		Business.in(application.jdbc());
		Cascade cascade = application.bean(Cascade.class);
		cascade.refusals.clear();
		cascade.afterTheEnd = (phase) -> {
		};
	}

	@Test
	void listenersThatPublishMoreEventsAtTheCallKeepTheOrderOfCauseAndEffect() {
		application.publish(new AtTheCall("a"), new OrderPlaced("a", 9));
		assertThat(names()).containsExactly("at.the.call", "effect", "order.placed");
	}

	@Test
	void listenersThatPublishMoreEventsBeforeTheCommitAreHeard() {
		application.publish(new BeforeTheCommit("a"), new OrderPlaced("a", 9));
		assertThat(names()).containsExactly("before.the.commit", "order.placed", "effect");
	}

	@ParameterizedTest
	@ValueSource(ints = { Ordered.HIGHEST_PRECEDENCE, 0, Ordered.LOWEST_PRECEDENCE })
	void eventFromBeforeCommitIsStored(int order) {
		atTheEnd(new Callbacks(order) {

			@Override
			public void beforeCommit(boolean readOnly) {
				publish(1);
			}

		});
		assertThat(names()).containsExactly("order.placed");
	}

	@ParameterizedTest
	@ValueSource(ints = { Ordered.HIGHEST_PRECEDENCE, 0, Ordered.LOWEST_PRECEDENCE })
	void eventFromBeforeCompletionIsStored(int order) {
		atTheEnd(new Callbacks(order) {

			@Override
			public void beforeCompletion() {
				publish(1);
			}

		});
		assertThat(names()).containsExactly("order.placed");
	}

	@Test
	void eventFromACallbackThatACallbackRegisteredIsStored() {
		atTheEnd(new Callbacks(0) {

			@Override
			public void beforeCommit(boolean readOnly) {
				TransactionSynchronizationManager.registerSynchronization(new Callbacks(0) {

					@Override
					public void beforeCompletion() {
						publish(1);
					}

				});
			}

		});
		assertThat(names()).containsExactly("order.placed");
	}

	@ParameterizedTest
	@ValueSource(ints = { Ordered.HIGHEST_PRECEDENCE, 0, Ordered.LOWEST_PRECEDENCE })
	void eventFromAfterCommitIsRefused(int order) {
		List<RuntimeException> refusals = new ArrayList<>();
		atTheEnd(new Callbacks(order) {

			@Override
			public void afterCommit() {
				refusals.add(refusal());
			}

		});
		assertRefused(refusals);
		assertThat(application.depth()).isZero();
	}

	@Test
	void eventFromAfterCommitIsRefusedAlsoWhenEventsWereStored() {
		List<RuntimeException> refusals = new ArrayList<>();
		application.transaction().executeWithoutResult((status) -> {
			application.outbox().publish(new OrderPlaced("a", 1));
			TransactionSynchronizationManager.registerSynchronization(new Callbacks(0) {

				@Override
				public void afterCommit() {
					refusals.add(refusal());
				}

			});
		});
		assertRefused(refusals);
		assertThat(application.depth()).isOne();
	}

	@ParameterizedTest
	@ValueSource(ints = { Ordered.HIGHEST_PRECEDENCE, 0, Ordered.LOWEST_PRECEDENCE })
	void eventFromAfterCompletionIsRefused(int order) {
		List<RuntimeException> refusals = new ArrayList<>();
		atTheEnd(new Callbacks(order) {

			@Override
			public void afterCompletion(int status) {
				refusals.add(refusal());
			}

		});
		assertRefused(refusals);
		assertThat(application.depth()).isZero();
	}

	@ParameterizedTest
	@ValueSource(ints = { Ordered.HIGHEST_PRECEDENCE, 0, Ordered.LOWEST_PRECEDENCE })
	void eventFromAfterCompletionOfARollbackIsRefused(int order) {
		List<RuntimeException> refusals = new ArrayList<>();
		application.transaction().executeWithoutResult((status) -> {
			TransactionSynchronizationManager.registerSynchronization(new Callbacks(order) {

				@Override
				public void afterCompletion(int status) {
					refusals.add(refusal());
				}

			});
			status.setRollbackOnly();
		});
		assertRefused(refusals);
		assertThat(application.depth()).isZero();
	}

	@Test
	void eventFromAnAfterCommitListenerIsRefused() {
		Cascade cascade = application.bean(Cascade.class);
		cascade.inAfterCommit = (publisher) -> cascade.refusals.add(refusal());
		application.publish(new AfterTheCommit("a"), new AtTheCall("a"));
		assertRefused(cascade.refusals);
		assertThat(names()).containsExactly("after.the.commit", "at.the.call", "effect");
	}

	@Test
	void requiresNewWorksFromAnAfterCommitListener() {
		application.bean(Cascade.class).inAfterCommit = (publisher) -> requiresNew()
			.executeWithoutResult((status) -> publisher.publishEvent(new Effect("a")));
		application.publish(new AfterTheCommit("a"), new AtTheCall("b"));
		assertThat(names()).containsExactly("after.the.commit", "at.the.call", "effect", "effect");
	}

	@ParameterizedTest
	@EnumSource(names = "BEFORE_COMMIT", mode = EnumSource.Mode.EXCLUDE)
	void eventFromAListenerOfAPhaseAfterTheEndIsRefused(TransactionPhase phase) {
		Cascade cascade = application.bean(Cascade.class);
		cascade.afterTheEnd = (called) -> {
			if (called == phase) {
				cascade.refusals.add(refusal());
			}
		};
		endOneWith(phase);
		assertRefused(cascade.refusals);
		assertThat(names()).isEqualTo((phase == TransactionPhase.AFTER_ROLLBACK) ? List.of() : List.of("ended"));
	}

	@ParameterizedTest
	@EnumSource(names = "BEFORE_COMMIT", mode = EnumSource.Mode.EXCLUDE)
	void requiresNewWorksFromAListenerOfAPhaseAfterTheEnd(TransactionPhase phase) {
		application.bean(Cascade.class).afterTheEnd = (called) -> {
			if (called == phase) {
				requiresNew().executeWithoutResult((status) -> application.context().publishEvent(new Effect("a")));
			}
		};
		endOneWith(phase);
		assertThat(names())
			.isEqualTo((phase == TransactionPhase.AFTER_ROLLBACK) ? List.of("effect") : List.of("ended", "effect"));
	}

	private static void endOneWith(TransactionPhase phase) {
		application.transaction().executeWithoutResult((status) -> {
			application.context().publishEvent(new Ended("a"));
			if (phase == TransactionPhase.AFTER_ROLLBACK) {
				status.setRollbackOnly();
			}
		});
	}

	@ParameterizedTest
	@EnumSource(names = { "AFTER_COMMIT", "AFTER_COMPLETION" })
	void requiresNewWorksFromTheCallbacksAfterTheCommit(TransactionPhase phase) {
		atTheEnd(new Callbacks(0) {

			@Override
			public void afterCommit() {
				if (phase == TransactionPhase.AFTER_COMMIT) {
					requiresNew().executeWithoutResult((status) -> publish(1));
				}
			}

			@Override
			public void afterCompletion(int status) {
				if (phase == TransactionPhase.AFTER_COMPLETION) {
					requiresNew().executeWithoutResult((inner) -> publish(1));
				}
			}

		});
		assertThat(names()).containsExactly("order.placed");
	}

	@Test
	void requiresNewWithinBeforeCommitCommitsFirst() {
		application.transaction().executeWithoutResult((status) -> {
			application.outbox().publish(new Effect("a"));
			TransactionSynchronizationManager.registerSynchronization(new Callbacks(0) {

				@Override
				public void beforeCommit(boolean readOnly) {
					requiresNew().executeWithoutResult((inner) -> publish(1));
				}

			});
		});
		assertThat(names()).containsExactly("order.placed", "effect");
	}

	// Spring looks for such a mark before it calls back, and commits
	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void messagesOfATransactionThatACallbackMarksForARollbackAreStoredWithItsRows(boolean participating) {
		Business business = Business.in(application.jdbc());
		TransactionTemplate transaction = new TransactionTemplate(application.transaction().getTransactionManager());
		Throwable thrown = catchThrowable(() -> transaction.executeWithoutResult((status) -> {
			business.write("committed");
			publish(1);
			TransactionSynchronizationManager.registerSynchronization(new Callbacks(0) {

				@Override
				public void beforeCommit(boolean readOnly) {
					if (participating) {
						assertThatIllegalStateException().isThrownBy(() -> transaction.executeWithoutResult((inner) -> {
							throw new IllegalStateException("handled by the callback");
						}));
					}
					else {
						status.setRollbackOnly();
					}
				}

			});
		}));
		if (participating) {
			assertThat(thrown).isInstanceOf(UnexpectedRollbackException.class);
		}
		else {
			assertThat(thrown).isNull();
		}
		assertThat(business.notes()).containsExactly("committed");
		assertThat(names()).containsExactly("order.placed");
	}

	private static void atTheEnd(TransactionSynchronization callbacks) {
		application.transaction()
			.executeWithoutResult((status) -> TransactionSynchronizationManager.registerSynchronization(callbacks));
	}

	private static void publish(int version) {
		application.outbox().publish(new OrderPlaced("a", version));
	}

	private static RuntimeException refusal() {
		try {
			publish(1);
			return new IllegalArgumentException("The event was taken");
		}
		catch (OutboxPublicationException ex) {
			return ex;
		}
	}

	private static void assertRefused(List<RuntimeException> refusals) {
		assertThat(refusals).singleElement()
			.isInstanceOf(OutboxPublicationException.class)
			.extracting(Throwable::getMessage)
			.asString()
			.contains(OrderPlaced.class.getName(), "committed or rolled back", "REQUIRES_NEW");
	}

	private static List<String> names() {
		return application.rows().stream().map(StoredRow::name).toList();
	}

	private static TransactionTemplate requiresNew() {
		TransactionTemplate template = new TransactionTemplate(application.transaction().getTransactionManager());
		template.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		return template;
	}

	private abstract static class Callbacks implements TransactionSynchronization {

		private final int order;

		Callbacks(int order) {
			this.order = order;
		}

		@Override
		public int getOrder() {
			return this.order;
		}

	}

	record AtTheCall(@PartitionKey String key) {

	}

	record BeforeTheCommit(@PartitionKey String key) {

	}

	record AfterTheCommit(@PartitionKey String key) {

	}

	record Ended(@PartitionKey String key) {

	}

	record Effect(@PartitionKey String key) {

	}

	static class Cascade {

		private final ApplicationEventPublisher publisher;

		final List<RuntimeException> refusals = new ArrayList<>();

		Consumer<ApplicationEventPublisher> inAfterCommit = (publisher) -> {
		};

		Consumer<TransactionPhase> afterTheEnd = (phase) -> {
		};

		Cascade(ApplicationEventPublisher publisher) {
			this.publisher = publisher;
		}

		@EventListener
		void on(AtTheCall event) {
			this.publisher.publishEvent(new Effect(event.key()));
		}

		@TransactionalEventListener(phase = TransactionPhase.BEFORE_COMMIT)
		void on(BeforeTheCommit event) {
			this.publisher.publishEvent(new Effect(event.key()));
		}

		@TransactionalEventListener
		void on(AfterTheCommit event) {
			this.inAfterCommit.accept(this.publisher);
		}

		@TransactionalEventListener
		void onCommit(Ended event) {
			this.afterTheEnd.accept(TransactionPhase.AFTER_COMMIT);
		}

		@TransactionalEventListener(phase = TransactionPhase.AFTER_ROLLBACK)
		void onRollback(Ended event) {
			this.afterTheEnd.accept(TransactionPhase.AFTER_ROLLBACK);
		}

		@TransactionalEventListener(phase = TransactionPhase.AFTER_COMPLETION)
		void onCompletion(Ended event) {
			this.afterTheEnd.accept(TransactionPhase.AFTER_COMPLETION);
		}

	}

}
