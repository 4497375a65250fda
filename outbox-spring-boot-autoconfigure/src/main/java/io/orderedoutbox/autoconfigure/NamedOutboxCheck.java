package io.orderedoutbox.autoconfigure;

import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

import javax.sql.DataSource;

import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.jdbc.DatabaseName;
import io.orderedoutbox.jdbc.OutboxDatabase;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Refuses two outboxes of an application that would work on the same tables, or would
 * take away each other's marks in a transaction, and shards that cannot be told apart.
 */
final class NamedOutboxCheck implements SmartInitializingSingleton {

	private final ObjectProvider<NamedOutbox> named;

	private final ObjectProvider<OutboxDatabase> database;

	private final ObjectProvider<OutboxJdbcProperties> jdbc;

	NamedOutboxCheck(ObjectProvider<NamedOutbox> named, ObjectProvider<OutboxDatabase> database,
			ObjectProvider<OutboxJdbcProperties> jdbc) {
		this.named = named;
		this.database = database;
		this.jdbc = jdbc;
	}

	@Override
	public void afterSingletonsInstantiated() {
		Map<String, OutboxDatabase> databases = new LinkedHashMap<>();
		Map<String, OutboxIdentity> shards = new LinkedHashMap<>();
		IdentityHashMap<DataSource, String> marking = new IdentityHashMap<>();
		this.database.ifAvailable((known) -> {
			databases.put(OutboxNames.DEFAULT, known);
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
		});
	}

	private static void requireOwnTables(String name, OutboxDatabase database, String otherName, OutboxDatabase other) {
		if (database.tablePrefix().equals(other.tablePrefix())
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
