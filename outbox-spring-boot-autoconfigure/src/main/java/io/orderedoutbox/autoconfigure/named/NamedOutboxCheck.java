/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.named;

import java.util.EnumMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

import javax.sql.DataSource;

import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.autoconfigure.OutboxIdentity;
import io.orderedoutbox.autoconfigure.OutboxJdbcProperties;
import io.orderedoutbox.autoconfigure.condition.OutboxNames;
import io.orderedoutbox.autoconfigure.OutboxProperties;
import io.orderedoutbox.autoconfigure.condition.RelayMode;
import io.orderedoutbox.jdbc.connection.DatabaseName;
import io.orderedoutbox.jdbc.OutboxDatabase;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Refuses two outboxes of an application that would work on the same tables, or would
 * take away each other's marks in a transaction, shards that cannot be told apart, and
 * one that is relayed all the time beside one whose drain ends the process.
 */
final class NamedOutboxCheck implements SmartInitializingSingleton {

	private final ObjectProvider<NamedOutbox> named;

	private final ObjectProvider<OutboxDatabase> database;

	private final ObjectProvider<OutboxJdbcProperties> jdbc;

	private final ObjectProvider<OutboxProperties> properties;

	NamedOutboxCheck(ObjectProvider<NamedOutbox> named, ObjectProvider<OutboxDatabase> database,
			ObjectProvider<OutboxJdbcProperties> jdbc, ObjectProvider<OutboxProperties> properties) {
		this.named = named;
		this.database = database;
		this.jdbc = jdbc;
		this.properties = properties;
	}

	@Override
	public void afterSingletonsInstantiated() {
		Map<String, OutboxDatabase> databases = new LinkedHashMap<>();
		Map<String, OutboxIdentity> shards = new LinkedHashMap<>();
		IdentityHashMap<DataSource, String> marking = new IdentityHashMap<>();
		Map<RelayMode, String> modes = new EnumMap<>(RelayMode.class);
		this.database.ifAvailable((known) -> {
			databases.put(OutboxNames.DEFAULT, known);
			modes.put(this.properties.getObject().relay().mode(), OutboxNames.DEFAULT);
			requireNoSecondMark(OutboxNames.DEFAULT, known, this.jdbc.getObject(), marking);
		});
		this.named.orderedStream().filter(NamedOutbox::isEnabled).forEach((outbox) -> {
			OutboxDatabase own = outbox.beans().getBean(OutboxDatabase.class);
			databases.forEach((name, other) -> requireOwnTables(outbox.name(), own, name, other));
			databases.put(outbox.name(), own);
			requireNoSecondMark(outbox.name(), own, outbox.beans().getBean(OutboxJdbcProperties.class), marking);
			OutboxIdentity identity = outbox.beans().getBean(OutboxIdentity.class);
			shards.values().forEach((other) -> requireOwnShard(identity, other));
			shards.put(outbox.name(), identity);
			modes.putIfAbsent(outbox.beans().getBean(OutboxProperties.class).relay().mode(), outbox.name());
		});
		requireOneEnd(modes);
	}

	private static void requireOneEnd(Map<RelayMode, String> modes) {
		if (modes.containsKey(RelayMode.ONCE) && modes.containsKey(RelayMode.CONTINUOUS)) {
			throw new OutboxConfigurationException(
					"The outbox '%s' is relayed all the time, and '%s' once: the process would end after that."
						.formatted(modes.get(RelayMode.CONTINUOUS), modes.get(RelayMode.ONCE)),
					"Let all outboxes of the process have the relay mode 'once' or 'off'.");
		}
	}

	private static void requireOwnTables(String name, OutboxDatabase database, String otherName, OutboxDatabase other) {
		// PostgreSQL, and MySQL on some systems, make no difference between a and A
		if (database.tablePrefix().equalsIgnoreCase(other.tablePrefix())
				&& DatabaseName.isSame(database.dataSource(), other.dataSource())) {
			throw new OutboxConfigurationException(
					"The outboxes '%s' and '%s' would work on the same tables, %s* in database %s.".formatted(otherName,
							name, database.tablePrefix(), DatabaseName.of(database.dataSource())),
					"Give one of them other tables, such as outbox.named.%s.jdbc.table-prefix=outbox_%s_, or another DataSource with outbox.named.%1$s.data-source."
						.formatted(name, name.replace('-', '_')));
		}
	}

	// A savepoint that is released takes with it those that were made after it
	private static void requireNoSecondMark(String name, OutboxDatabase database, OutboxJdbcProperties properties,
			IdentityHashMap<DataSource, String> marking) {
		String other = properties.isVerifyTransaction() ? marking.put(database.dataSource(), name) : null;
		if (other != null) {
			throw new OutboxConfigurationException(
					"The outboxes '%s' and '%s' both verify the transactions of one DataSource, and each would take the other's mark away."
						.formatted(other, name),
					"Set jdbc.verify-transaction for one of them only.");
		}
	}

	private static void requireOwnShard(OutboxIdentity shard, OutboxIdentity other) {
		if (shard.routing() != null && shard.routing() == other.routing()
				&& Objects.equals(shard.shard(), other.shard())) {
			throw new OutboxConfigurationException(
					"The outboxes '%s' and '%s' are shards of one DataSource, but their connections cannot be told apart: both lead to %s."
						.formatted(other.name(), shard.name(), shard.shard()),
					"Put each shard into a database of its own, which the URL of its DataSource names.");
		}
	}

}
