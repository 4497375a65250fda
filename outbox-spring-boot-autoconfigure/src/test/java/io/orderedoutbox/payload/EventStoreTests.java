/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.payload;

import java.nio.charset.StandardCharsets;
import java.util.UUID;

import io.orderedoutbox.contract.PayloadSourceContract;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import org.junit.jupiter.api.BeforeAll;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * The example of a source that loads from a table keeps the contract.
 */
class EventStoreTests extends PayloadSourceContract {

	private static EventStore events;

	@BeforeAll
	static void createTable() {
		Database database = Servers.database().fresh();
		events = new EventStore(JdbcClient
			.create(new DriverManagerDataSource(database.jdbcUrl(), database.username(), database.password())));
		events.createTable();
	}

	@Override
	protected PayloadSource source() {
		return events;
	}

	@Override
	protected PayloadReference store(int number) {
		PayloadReference reference = new PayloadReference("order.placed", UUID.randomUUID().toString());
		events.append(reference.id(), reference.name(), json(number));
		return reference;
	}

	@Override
	protected LoadedPayload payload(int number) {
		return new LoadedPayload(json(number).getBytes(StandardCharsets.UTF_8), "application/json");
	}

	private static String json(int number) {
		return "{\"number\":%d}".formatted(number);
	}

}
