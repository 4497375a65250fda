/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.documentation;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.TestQueue;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchException;

/**
 * An application that is about to make a mistake, with a schema and names of its own.
 */
final class Trial implements Closeable {

	private final Database database = Servers.database().fresh();

	private final OutboxApplication.Builder application = OutboxApplication.on(this.database);

	private final String name = "outbox-test-" + UUID.randomUUID();

	private final List<Throwable> reported = new ArrayList<>();

	private final Deque<Closeable> opened = new ArrayDeque<>();

	OutboxApplication.Builder application() {
		return this.application;
	}

	/**
	 * What queues are called here.
	 */
	String name() {
		return this.name;
	}

	void with(String... assignments) {
		for (String assignment : assignments) {
			String[] parts = assignment.split("=", 2);
			this.application.with(parts[0], parts[1]);
		}
	}

	/**
	 * Start without the mistake, so that the tables are there, and change them.
	 */
	void afterStart(String... statements) {
		try (OutboxApplication before = this.application.start()) {
			for (String statement : statements) {
				before.jdbc().sql(statement).update();
			}
		}
	}

	/**
	 * A channel to the broker, until the trial ends.
	 */
	Channel channel() throws Exception {
		Connection connection = TestQueue.connect("outbox-test");
		this.opened.push(connection::close);
		return connection.createChannel();
	}

	/**
	 * Write the URL of the database in another way.
	 */
	void withUrl(UnaryOperator<String> change) {
		this.application.with("spring.datasource.url", change.apply(this.database.jdbcUrl()));
	}

	/**
	 * Let the owner of the database run a statement when the trial ends.
	 */
	void atEnd(String statement) {
		atEnd(() -> JdbcClient
			.create(new DriverManagerDataSource(this.database.jdbcUrl(), this.database.username(),
					this.database.password()))
			.sql(statement)
			.update());
	}

	/**
	 * Close something when the trial ends.
	 */
	void atEnd(Closeable closeable) {
		this.opened.push(closeable);
	}

	StartReport start(CapturedOutput output) {
		Exception failure = catchException(() -> this.application.start().close());
		assertThat(failure).isNotNull();
		StartReport report = StartReport.last(output.getOut());
		Stream.iterate((Throwable) failure, Objects::nonNull, Throwable::getCause)
			.filter(report::tells)
			.forEach(this.reported::add);
		return withoutNames(report);
	}

	/**
	 * What has ended the start, as far as the report tells of it.
	 */
	List<Throwable> reported() {
		return this.reported;
	}

	private StartReport withoutNames(StartReport report) {
		return new StartReport(withoutNames(report.description()), withoutNames(report.action()));
	}

	// What is different from one run to the next, or from one machine to the next
	private String withoutNames(String text) {
		String user = "user '%s'".formatted(this.database.username());
		String schema = this.database.jdbcUrl().replaceFirst(".*/(\\w+).*", "$1");
		return text.replace(this.name, "billing")
			.replace(schema, "shop")
			.replace(user, "user 'shop'")
			.replaceAll("but .* has outbox\\.ordered", "but another instance has outbox.ordered")
			.replaceAll("outbox_test_[0-9a-f]{32}", "another")
			.replaceAll("clerk_[0-9a-f]{8}", "shop")
			.replaceAll("'shop'@'[^']+'", "'shop'@'%'")
			.replaceAll("\\(host=127\\.0\\.0\\.1\\)\\(port=\\d+\\)", "(host=localhost)(port=3306)")
			.replaceAll("//127\\.0\\.0\\.1:\\d+/", "//localhost/")
			.replaceAll("io\\.orderedoutbox\\.documentation\\.\\w+Mistakes[$.]", "com.example.shop.")
			.replace("io.orderedoutbox.testing.", "com.example.shop.");
	}

	@Override
	public void close() throws IOException {
		while (!this.opened.isEmpty()) {
			this.opened.pop().close();
		}
	}

}
