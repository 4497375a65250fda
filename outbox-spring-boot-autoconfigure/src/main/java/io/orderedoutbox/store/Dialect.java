package io.orderedoutbox.store;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.orderedoutbox.OutboxConfigurationException;

/**
 * The databases that the outbox works on, told apart by their version: with MySQL's
 * driver both call themselves MySQL.
 */
enum Dialect {

	/**
	 * MySQL. 8.0.17 is the first with a binary collation that does not pad.
	 */
	MYSQL(8_000_017) {

		@Override
		String lockOf(String alias) {
			return "FOR UPDATE OF " + alias;
		}

		@Override
		boolean hasAtomicSnapshots() {
			return true;
		}

	},

	/**
	 * MariaDB. 10.6 is the first with SKIP LOCKED and JSON_TABLE. Its snapshots are taken
	 * without a latch, so that one can show a transaction and miss another that committed
	 * before it.
	 */
	MARIADB(10_006_000) {

		@Override
		String lockOf(String alias) {
			return "FOR UPDATE";
		}

		@Override
		boolean hasAtomicSnapshots() {
			return false;
		}

	};

	private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+)\\.(\\d+)");

	// What old replicas and some proxies put before the version of MariaDB
	private static final String REPLICATION_PREFIX = "5.5.5-";

	private final int oldestVersion;

	Dialect(int oldestVersion) {
		this.oldestVersion = oldestVersion;
	}

	/**
	 * The locking clause for the one table of a join that is to be locked.
	 */
	abstract String lockOf(String alias);

	/**
	 * What tells one server from another.
	 */
	String server() {
		return (this == MYSQL) ? "@@server_uuid" : "@@server_id";
	}

	/**
	 * The variable with the isolation of transactions. MariaDB has had it under MySQL's
	 * name since 11.1; the old name, deprecated since, is the one that all versions know.
	 */
	String isolation() {
		return (this == MYSQL) ? "transaction_isolation" : "tx_isolation";
	}

	/**
	 * Whether a plain read sees transactions in the order of their commits.
	 */
	abstract boolean hasAtomicSnapshots();

	/**
	 * Whether a statement on a range, in the order of its index, reads that range only,
	 * however few rows there are besides. MariaDB then deletes by reading the whole
	 * table, and waits for locks on rows that are not ours; what it does for a SELECT was
	 * not examined.
	 */
	boolean hasExactRanges() {
		return this == MYSQL;
	}

	/**
	 * The name of the platform in the location of a script.
	 */
	String platform() {
		return name().toLowerCase(Locale.ROOT);
	}

	static Dialect of(String version) {
		Dialect dialect = version.toLowerCase(Locale.ROOT).contains("mariadb") ? MARIADB : MYSQL;
		Matcher matcher = VERSION
			.matcher(version.startsWith(REPLICATION_PREFIX) ? version.substring(REPLICATION_PREFIX.length()) : version);
		if (!matcher.find() || number(matcher) < dialect.oldestVersion) {
			throw new OutboxConfigurationException(
					"The outbox does not work on database version '%s'.".formatted(version),
					"Use MySQL 8.0.17 or newer, or MariaDB 10.6 or newer.");
		}
		return dialect;
	}

	private static int number(Matcher version) {
		return Integer.parseInt(version.group(1)) * 1_000_000 + Integer.parseInt(version.group(2)) * 1_000
				+ Integer.parseInt(version.group(3));
	}

}
