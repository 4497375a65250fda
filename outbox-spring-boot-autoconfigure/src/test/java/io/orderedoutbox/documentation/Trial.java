/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.documentation;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.UUID;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.TestQueue;

import org.springframework.boot.test.system.CapturedOutput;

import static org.assertj.core.api.Assertions.assertThatException;

/**
 * An application that is about to make a mistake, with a schema and names of its own.
 */
final class Trial implements Closeable {

	private final Database database = Servers.database().fresh();

	private final OutboxApplication.Builder application = OutboxApplication.on(this.database);

	private final String name = "outbox-test-" + UUID.randomUUID();

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
	 * Close something when the trial ends.
	 */
	void atEnd(Closeable closeable) {
		this.opened.push(closeable);
	}

	StartReport start(CapturedOutput output) {
		assertThatException().isThrownBy(() -> this.application.start().close());
		return withoutNames(StartReport.last(output.getOut()));
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
