/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.payload;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.orderedoutbox.OutboxMessage;
import io.orderedoutbox.PartitionKey;
import io.orderedoutbox.payload.PayloadTransformer.UndoneBy;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OutboxApplication;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * What becomes of a payload outside the database when its transaction fails.
 */
class ClaimCheckCommitTests {

	private static final AtomicBoolean ANSWER_IS_LOST = new AtomicBoolean();

	private static final Report REPORT = new Report("a", "x".repeat(4000));

	@TempDir
	private Path directory;

	@BeforeEach
	void answer() {
		ANSWER_IS_LOST.set(false);
	}

	private OutboxApplication start(boolean jpa) {
		OutboxApplication.Builder application = OutboxApplication.on(Servers.database().fresh())
			.withoutRelay()
			.with(Checking.class)
			.with("directory", this.directory);
		return (jpa ? application.withJpa() : application).start();
	}

	// Spring with JPA says that such a transaction was rolled back
	@ParameterizedTest
	@CsvSource({ "false, false", "false, true", "true, false", "true, true" })
	void thePayloadOfACommitWhoseAnswerWasLostStays(boolean jpa, boolean inACallbackBeforeTheCommit)
			throws IOException {
		try (OutboxApplication application = start(jpa)) {
			assertThatException().isThrownBy(() -> application.transaction().executeWithoutResult((status) -> {
				if (inACallbackBeforeTheCommit) {
					TransactionSynchronizationManager.registerSynchronization(beforeCommit(application));
				}
				else {
					application.outbox().publish(REPORT);
				}
				ANSWER_IS_LOST.set(true);
			}));
			assertThat(application.rows()).hasSize(1);
			assertThat(files()).isEqualTo(1);
		}
	}

	private static TransactionSynchronization beforeCommit(OutboxApplication application) {
		return new TransactionSynchronization() {

			@Override
			public void beforeCommit(boolean readOnly) {
				application.outbox().publish(REPORT);
			}

		};
	}

	@ParameterizedTest
	@CsvSource({ "false", "true" })
	void thatOfATransactionWhoseWorkFailsIsRemoved(boolean jpa) throws IOException {
		try (OutboxApplication application = start(jpa)) {
			assertThatException().isThrownBy(() -> application.transaction().executeWithoutResult((status) -> {
				application.outbox().publish(REPORT);
				throw new IllegalStateException("on purpose");
			}));
			assertThat(application.rows()).isEmpty();
			assertThat(files()).isZero();
		}
	}

	@Test
	void thatOfACommitThatSucceedsStays() throws IOException {
		try (OutboxApplication application = start(false)) {
			application.publish((Object) REPORT);
			assertThat(application.rows()).hasSize(1);
			assertThat(files()).isEqualTo(1);
		}
	}

	private long files() throws IOException {
		try (Stream<Path> files = Files.list(this.directory)) {
			return files.count();
		}
	}

	@OutboxMessage("report.written")
	record Report(@PartitionKey String id, String text) {

	}

	static class Checking {

		@Bean
		PayloadTransformer claimCheck(@Value("${directory}") Path directory) {
			return new ClaimCheckTransformer(new DirectoryStorage(directory), DataSize.ofKilobytes(1), UndoneBy.RELAY);
		}

		@Bean
		static BeanPostProcessor lossOfAnswers() {
			return new BeanPostProcessor() {

				@Override
				public Object postProcessAfterInitialization(Object bean, String beanName) {
					return (bean instanceof DataSource dataSource) ? new LosingAnswers(dataSource) : bean;
				}

			};
		}

	}

	/**
	 * The server commits, and the connection is lost before it can say so.
	 */
	private static final class LosingAnswers extends DelegatingDataSource {

		LosingAnswers(DataSource dataSource) {
			super(dataSource);
		}

		@Override
		public Connection getConnection() throws SQLException {
			Connection connection = super.getConnection();
			return (Connection) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { Connection.class },
					(proxy, method, arguments) -> {
						try {
							Object result = method.invoke(connection, arguments);
							if (method.getName().equals("commit") && ANSWER_IS_LOST.getAndSet(false)) {
								throw new SQLException("the connection was lost", "08S01");
							}
							return result;
						}
						catch (InvocationTargetException ex) {
							throw ex.getTargetException();
						}
					});
		}

	}

}
