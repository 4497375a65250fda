/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Date;
import java.util.Locale;
import java.util.TimeZone;

import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.TestQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Times are those of the database, in UTC, whatever the time zones of others.
 */
class DatabaseTimeTests {

	private final TimeZone zone = TimeZone.getDefault();

	@AfterEach
	void restoreTimeZone() {
		TimeZone.setDefault(this.zone);
	}

	@ParameterizedTest
	@CsvSource({ "UTC, UTC", "America/New_York, Asia/Kolkata", "Pacific/Kiritimati, Pacific/Pago_Pago" })
	void timesAreUtcByTheClockOfTheDatabase(String jvm, String connection) {
		OutboxTables.skipOnH2("times carry their zone");
		TimeZone.setDefault(TimeZone.getTimeZone(jvm));
		String offset = TimeZone.getTimeZone(connection).toZoneId().getRules().getOffset(Instant.now()).getId();
		Database database = Servers.database().fresh();
		OutboxApplication.Builder builder = OutboxApplication.on(database).withoutRelay();
		if (database.isPostgreSql()) {
			builder.with("spring.datasource.hikari.connection-init-sql", "SET TIME ZONE '%s'".formatted(connection));
		}
		else {
			builder.withJdbcOption("connectionTimeZone", connection.replace("/", "%2F"))
				.withJdbcOption("sessionVariables",
						"time_zone='" + offset.replace("Z", "+00:00").replace("+", "%2B") + "'");
		}
		try (OutboxApplication application = builder.start()) {
			application.publish(new OrderPlaced("a", 1));
			assertThat(application.jdbc()
				.sql(database.choose("SELECT @@session.time_zone", "SELECT current_setting('TimeZone')"))
				.query(String.class)
				.single()).isEqualTo(database.choose(offset.replace("Z", "+00:00"), connection));
			assertThat(application.jdbc()
				.sql("SELECT %s FROM outbox_message"
					.formatted(database.choose("TIMESTAMPDIFF(MICROSECOND, created_at, UTC_TIMESTAMP(6))",
							"CAST(EXTRACT(EPOCH FROM clock_timestamp() - created_at) * 1000000 AS BIGINT)")))
				.query(Long.class)
				.single()).isBetween(0L, Duration.ofMinutes(1).toNanos() / 1000);
			assertThat(application.jdbc()
				.sql("SELECT available_at = created_at FROM outbox_message")
				.query(Boolean.class)
				.single()).isTrue();
		}
	}

	// 00:30 and 01:30 UTC are both 02:30 in Berlin that night, and 01:30 UTC in spring is
	// a local time that does not exist
	@ParameterizedTest
	@ValueSource(strings = { "2026-10-25T00:30:00.25", "2026-10-25T01:30:00.25", "2026-03-29T01:30:00.25",
			"2026-12-31T23:59:59.999999" })
	void changeOfDaylightSavingTimeMovesNothing(String utc) {
		OutboxTables.skipOnPostgreSql("no session has a clock of its own");
		OutboxTables.skipOnH2("times carry their zone");
		TimeZone.setDefault(TimeZone.getTimeZone("Europe/Berlin"));
		Instant instant = LocalDateTime.parse(utc).toInstant(ZoneOffset.UTC);
		String clock = instant.getEpochSecond() + "." + String.format(Locale.ROOT, "%06d", instant.getNano() / 1000);
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = OutboxApplication.on(Servers.database().fresh())
					.sendingTo(queue)
					.withJdbcOption("connectionTimeZone", "Europe%2FBerlin")
					.withJdbcOption("sessionVariables", "timestamp=" + clock + ",time_zone='%2B02:00'")
					.start()) {
			Recorder recorder = new Recorder(application.jdbc());
			application.bean(ConfigurableTransactionManager.class).addListener(recorder);
			application.publish(new OrderPlaced("a", 1));
			assertThat(queue.await(1).get(0).properties().getTimestamp())
				.isEqualTo(Date.from(instant.truncatedTo(ChronoUnit.SECONDS)));
			assertThat(recorder.createdAt)
				.isEqualTo(DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSSSSS").format(LocalDateTime.parse(utc)));
		}
	}

	@Test
	void clockOfTheJvmDoesNotDecideWhatIsDue() {
		OutboxTables.skipOnPostgreSql("no session has a clock of its own");
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = OutboxApplication.on(Servers.database().fresh())
					.sendingTo(queue)
					.withJdbcOption("sessionVariables", "timestamp=2000000000")
					.start()) {
			application.publish(new OrderPlaced("from the year 2033", 1));
			queue.await(1);
			application.awaitEmpty();
		}
	}

	/**
	 * Looks at the row inside the transaction, before a relay can take it away.
	 */
	private static final class Recorder implements TransactionExecutionListener {

		private final JdbcClient jdbc;

		private String createdAt;

		Recorder(JdbcClient jdbc) {
			this.jdbc = jdbc;
		}

		@Override
		public void beforeCommit(TransactionExecution transaction) {
			this.createdAt = this.jdbc.sql("SELECT DATE_FORMAT(created_at, '%Y-%m-%d %H:%i:%s.%f') FROM outbox_message")
				.query(String.class)
				.single();
		}

	}

}
