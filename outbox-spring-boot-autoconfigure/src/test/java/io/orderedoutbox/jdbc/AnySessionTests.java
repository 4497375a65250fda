/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.orderedoutbox.Destination;
import io.orderedoutbox.admin.MessageSelection;
import io.orderedoutbox.admin.MessageState;
import io.orderedoutbox.admin.MessageSummary;
import io.orderedoutbox.admin.OperatorVerb;
import io.orderedoutbox.admin.OutboxAdministration;
import io.orderedoutbox.relay.OutboxRelay;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.store.Message;
import io.orderedoutbox.store.OutboxStore;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.StoredRow;
import io.orderedoutbox.testing.TestQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is stored, sent, noted and shown is the same whatever the sessions of the
 * application are set to, by options of the JDBC URL or by a statement of the pool.
 */
@Tag("slow")
@Tag("thorough")
class AnySessionTests {

	private static final String TEXT = "é€ł漢😀 \\ \\\\ ' '' \" ` %_ ¥₩";

	private static final String CONTROLS = TEXT + "\n\r\t\b\u001a\u0000";

	// With its driver, which writes and reads UTF-8 and nothing else
	private static final String MARIADB = "with MariaDB's driver ";

	private static final String LIMITS = "sql_select_limit=1,sql_safe_updates=1,"
			+ "lock_wait_timeout=1,net_write_timeout=1,max_error_count=0,div_precision_increment=0,"
			+ "group_concat_max_len=4,auto_increment_increment=7,auto_increment_offset=3";

	private final Database database = Servers.database().fresh();

	private final DataSource dataSource = new DriverManagerDataSource(this.database.jdbcUrl(), this.database.username(),
			this.database.password());

	private final JdbcClient plain = JdbcClient.create(this.dataSource);

	private final TestQueue queue = TestQueue.bound("good.#");

	@BeforeAll
	static void skip() {
		OutboxTables.skipOnPostgreSql("these are settings of MySQL and MariaDB: PostgreSqlTests has others");
	}

	@AfterEach
	void close() {
		this.queue.close();
	}

	static Stream<String> settings() {
		String ofServer = Servers.database().isMySql()
				? "sessionVariables=max_execution_time=1,max_join_size=1,sql_big_selects=0"
				: "sessionVariables=sql_mode='ORACLE'";
		String limit = Servers.database().isMySql() ? "SET max_execution_time = 1" : "SET max_statement_time = 0.001";
		return Stream.of(ofServer, limit, "sessionVariables=sql_mode='NO_BACKSLASH_ESCAPES,STRICT_TRANS_TABLES'",
				"sessionVariables=sql_mode='ANSI,NO_BACKSLASH_ESCAPES'",
				"sessionVariables=sql_mode='ANSI_QUOTES,HIGH_NOT_PRECEDENCE,PAD_CHAR_TO_FULL_LENGTH'",
				"jdbcCompliantTruncation=false&sessionVariables=sql_mode=''," + LIMITS,
				"sessionVariables=completion_type='CHAIN',sql_auto_is_null=1,time_zone='-11:00'",
				"sessionVariables=collation_connection='utf16_general_ci'",
				"sessionVariables=character_set_results=latin1", "characterSetResults=ISO-8859-1",
				"characterEncoding=ISO-8859-1", "characterEncoding=windows-1252",
				"connectionCollation=latin1_swedish_ci", "connectionCollation=binary", "useUnicode=false",
				"sessionVariables=character_set_server=latin1",
				"useServerPrepStmts=true&characterEncoding=ISO-8859-1&sessionVariables=sql_mode='NO_BACKSLASH_ESCAPES'",
				"SET NAMES latin1", "SET NAMES gbk", "SET NAMES binary", "SET sql_mode='NO_BACKSLASH_ESCAPES'",
				MARIADB + "SET character_set_results = latin1", MARIADB + "SET sql_mode='ANSI,NO_BACKSLASH_ESCAPES'");
	}

	@ParameterizedTest
	@MethodSource("settings")
	void whatIsPublishedIsStoredAndSentAsItIs(String setting) {
		try (OutboxApplication application = start(setting, "false")) {
			assertAllArrive(application);
			for (String table : List.of("outbox_instance", "outbox_worker")) {
				Awaitility.await()
					.atMost(Duration.ofSeconds(10))
					.untilAsserted(() -> assertThat(hosts(table)).isNotEmpty().doesNotContain(""));
			}
		}
		assertThat(hosts("outbox_instance")).as("after the end").isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "characterEncoding=ISO-8859-1", "SET NAMES latin1", "SET NAMES binary",
			"sessionVariables=sql_mode='ANSI,NO_BACKSLASH_ESCAPES'" })
	void soItIsWhereTheServerPreparesTheStatement(String setting) {
		try (OutboxApplication application = start(setting, "true")) {
			assertAllArrive(application);
		}
	}

	private void assertAllArrive(OutboxApplication application) {
		this.queue.bind("#");
		application.bean(OutboxRelay.class).stop();
		// The second and third time it may be prepared
		IntStream.range(0, 3).forEach((i) -> append(application, message(CONTROLS)));
		append(application, message(""), message(CONTROLS));
		assertThat(StoredRow.in(this.plain)).hasSize(5).allSatisfy((row) -> {
			String text = row.partitionKey().isEmpty() ? "" : CONTROLS;
			assertThat(row.partitionKey()).isEqualTo(text);
			assertThat(row.exchange()).isEqualTo(this.queue.exchange());
			assertThat(row.routingKey()).isEqualTo(text);
			assertThat(row.contentType()).isEqualTo("text/plain; x=" + text);
			assertThat(row.payload()).isEqualTo(text.getBytes(StandardCharsets.UTF_8));
			assertThat(Headers.read(row.headers())).isEqualTo(headers(text));
		});
		application.bean(OutboxRelay.class).start();
		this.queue.await(5);
		application.awaitEmpty();
		assertThat(this.queue.arrivals()).hasSize(5).allSatisfy((arrival) -> {
			String text = arrival.routingKey();
			assertThat(text).isIn("", CONTROLS);
			assertThat(arrival.text()).isEqualTo(text);
			assertThat(arrival.properties().getContentType()).isEqualTo("text/plain; x=" + text);
			headers(text).forEach((name, value) -> assertThat(arrival.properties().getHeaders().get(name))
				.hasToString(value.toString()));
		});
	}

	@ParameterizedTest
	@MethodSource("settings")
	void aMessageThatFailsHoldsUpItsKeyAloneAndOperatorsFindIt(String setting) {
		try (OutboxApplication application = start(setting, "false")) {
			OutboxAdministration operator = application.bean(OutboxAdministration.class);
			append(application,
					Stream
						.concat(Stream.of(message(CONTROLS), message(CONTROLS)),
								IntStream.range(0, 20).mapToObj((i) -> message("good." + i)))
						.toArray(Message[]::new));
			MessageSelection key = MessageSelection.key(CONTROLS);
			Awaitility.await()
				.atMost(Duration.ofSeconds(30))
				.until(() -> this.queue.arrivals().size() >= 20
						&& !operator.list(MessageState.STALLED, key, null, 9).messages().isEmpty());
			application.bean(OutboxRelay.class).stop();
			assertThat(this.queue.arrivals()).hasSize(20);
			MessageSummary head = only(operator, MessageState.STALLED, key);
			assertThat(head.attempts()).isPositive();
			assertThat(head.partitionKey()).isEqualTo(CONTROLS);
			assertThat(head.exchange()).isEqualTo(this.queue.exchange());
			assertThat(head.waitingBehind()).isOne();
			assertThat(head.lastError())
				.isEqualTo(this.plain.sql("SELECT last_error FROM outbox_message WHERE last_error IS NOT NULL")
					.query(String.class)
					.single())
				.satisfiesAnyOf((error) -> assertThat(error).contains(TEXT),
						// All that Qpid says
						(error) -> assertThat(error).isEqualTo("nacked by the broker"));
			assertThat(operator.retry(MessageSelection.key("é???? \\")).affected()).isZero();
			assertThat(operator.groups().groups()).singleElement().satisfies((group) -> {
				assertThat(group.example().partitionKey()).isEqualTo(CONTROLS);
				MessageSelection ofGroup = MessageSelection.group(group.group());
				assertThat(operator.dryRun(OperatorVerb.RETRY, ofGroup).affected()).isOne();
			});
			assertThat(operator.skip(key).affected()).isOne();
			MessageSummary dead = only(operator, MessageState.DEAD, key);
			assertThat(dead.partitionKey()).isEqualTo(CONTROLS);
			assertThat(operator.find(dead.messageId(), 1000)).hasValueSatisfying((content) -> {
				assertThat(content.headers()).isEqualTo(headers(CONTROLS));
				assertThat(content.contentType()).isEqualTo("text/plain; x=" + CONTROLS);
			});
			assertThat(operator.discard(MessageSelection.key("other")).affected()).isZero();
			assertThat(operator.requeue(key).affected()).isOne();
			assertThat(operator.list(MessageState.PENDING, key, null, 9).messages())
				.extracting(MessageSummary::messageId)
				.contains(dead.messageId());
			assertThat(operator.discard(key).affected()).isZero();
			assertThat(operator.retry(MessageSelection.name("order.placed")).affected()).isZero();
		}
	}

	private List<String> hosts(String table) {
		return this.plain.sql("SELECT host FROM " + table).query(String.class).list();
	}

	private static MessageSummary only(OutboxAdministration operator, MessageState state, MessageSelection selection) {
		List<MessageSummary> messages = operator.list(state, selection, null, 9).messages();
		assertThat(messages).hasSize(1);
		return messages.get(0);
	}

	private OutboxApplication start(String setting, String preparing) {
		new ResourceDatabasePopulator(new ClassPathResource(
				"schema-" + (this.database.isMySql() ? "mysql" : "mariadb") + ".sql", OutboxTables.class))
			.execute(this.dataSource);
		OutboxApplication.Builder builder = OutboxApplication.on(this.database)
			.sendingTo(this.queue)
			.with("outbox.jdbc.prepare-on-server", preparing)
			.with("outbox.jdbc.initialize-schema", "never")
			.with("outbox.retry.initial-interval", "1h")
			.with("outbox.retry.max-interval", "1h");
		if (setting.startsWith(MARIADB)) {
			builder.with("spring.datasource.url",
					this.database.jdbcUrl()
						.replaceFirst("jdbc:mysql:", "jdbc:mariadb:")
						.replace("sslMode=DISABLED", "sslMode=disable"));
		}
		String statement = setting.replace(MARIADB, "");
		if (statement.startsWith("SET ")) {
			return builder.with("spring.datasource.hikari.connection-init-sql", statement).start();
		}
		String[] option = setting.split("=", 2);
		return builder.withJdbcOption(option[0], option[1]).start();
	}

	private Message message(String text) {
		return new Message(UUID.randomUUID(), "order.placed", text, new Destination(this.queue.exchange(), text),
				"text/plain; x=" + text, text.getBytes(StandardCharsets.UTF_8), headers(text));
	}

	private static Map<String, Object> headers(String text) {
		return Map.of("h" + text, text, "tenant", "ł");
	}

	private static void append(OutboxApplication application, Message... messages) {
		application.transaction().executeWithoutResult((status) -> {
			if (!Servers.database().isMySql()) {
				liftTimeLimit(application.jdbc());
			}
			application.bean(OutboxStore.class).append(List.of(messages));
		});
	}

	// MariaDB's is for whatever the application writes, too
	private static void liftTimeLimit(JdbcClient jdbc) {
		jdbc.sql("SET @time_limit = @@max_statement_time, max_statement_time = 0").update();
		TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

			@Override
			public void afterCommit() {
				jdbc.sql("SET max_statement_time = @time_limit").update();
			}

		});
	}

}
