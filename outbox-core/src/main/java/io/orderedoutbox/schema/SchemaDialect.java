package io.orderedoutbox.schema;

import java.sql.SQLException;
import java.util.Collection;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.orderedoutbox.OutboxConfigurationException;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.PessimisticLockingFailureException;

/**
 * How a database tells of its tables, and how they are changed there. The names are those
 * of the platforms in the locations of scripts.
 */
public enum SchemaDialect {

	/**
	 * MySQL.
	 */
	MYSQL("utf8mb4_0900_bin|binary"),

	/**
	 * MariaDB.
	 */
	MARIADB("(utf8mb4|ascii)_nopad_bin|binary"),

	/**
	 * PostgreSQL. Texts are equal only if all bytes are, but in collations that say
	 * otherwise: these alone have a name here.
	 */
	POSTGRESQL("") {

		@Override
		String columns(Collection<String> tables) {
			return """
					SELECT c.relname, a.attname, CASE WHEN l.collisdeterministic THEN NULL ELSE l.collname END, FALSE
					FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid LEFT JOIN pg_collation l ON l.oid = a.attcollation
					WHERE c.relname IN (%s) AND pg_table_is_visible(c.oid) AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
					AND a.attnum > 0 AND NOT a.attisdropped ORDER BY c.relname, a.attnum"""
				.formatted(literals(tables).toLowerCase(Locale.ROOT));
		}

		@Override
		String indexes(Collection<String> tables) {
			return """
					SELECT c.relname, a.attname, CASE WHEN i.indisprimary THEN 'PRIMARY' ELSE n.relname END, FALSE
					FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_class n ON n.oid = i.indexrelid
					CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY k (attnum, place)
					JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.attnum
					WHERE c.relname IN (%s) AND pg_table_is_visible(c.oid) AND i.indisvalid AND k.place <= i.indnkeyatts
					ORDER BY c.relname, n.relname, k.place""".formatted(literals(tables).toLowerCase(Locale.ROOT));
		}

		@Override
		String comment(String table) {
			return "SELECT COALESCE(obj_description(to_regclass('%s'), 'pg_class'), '')".formatted(table);
		}

		@Override
		String changeColumn(String table, ColumnDefinition column) {
			return "ALTER TABLE %s ALTER COLUMN %s TYPE %s".formatted(table, column.name(), column.type());
		}

		@Override
		String changePrimaryKey(String table, IndexDefinition key) {
			return "ALTER TABLE %1$s DROP CONSTRAINT %1$s_pkey, ADD PRIMARY KEY (%2$s)".formatted(table,
					String.join(", ", key.columns()));
		}

		@Override
		String changeIndex(String table, IndexDefinition index) {
			return "DROP INDEX %s; %s".formatted(index.name(), index.statement());
		}

		// It has no other way to add a column that may be null, or has a constant for a
		// default
		@Override
		String instantly(String statement) {
			return statement;
		}

		@Override
		String limitWait() {
			return "SELECT set_config('outbox.kept_lock_wait', current_setting('lock_timeout'), false), set_config('lock_timeout', '1s', false)";
		}

		@Override
		String restoreWait() {
			return "SELECT set_config('lock_timeout', current_setting('outbox.kept_lock_wait'), false)";
		}

		// Spring has no exception for it
		@Override
		boolean isWaitOver(DataAccessException ex) {
			return super.isWaitOver(ex)
					|| (ex.getMostSpecificCause() instanceof SQLException cause && "55P03".equals(cause.getSQLState()));
		}

	};

	private final Pattern distinct;

	SchemaDialect(String distinct) {
		this.distinct = Pattern.compile(distinct);
	}

	/**
	 * Return the dialect of a platform.
	 * @param platform its name
	 * @return the dialect
	 */
	public static SchemaDialect of(String platform) {
		for (SchemaDialect dialect : values()) {
			if (dialect.platform().equals(platform)) {
				return dialect;
			}
		}
		throw new OutboxConfigurationException("There are no scripts for the platform '%s'.".formatted(platform),
				"Use one of those that there are scripts for: %s.".formatted(
						Stream.of(values()).map(SchemaDialect::platform).sorted().collect(Collectors.joining(", "))));
	}

	/**
	 * Return the name of the platform in the locations of scripts.
	 * @return the name
	 */
	public String platform() {
		return name().toLowerCase(Locale.ROOT);
	}

	/**
	 * The columns of tables: table, column, collation, and whether the server tells
	 * tables apart by the case of their names. Limited, or the session would do so.
	 */
	String columns(Collection<String> tables) {
		return """
				SELECT /*+ MAX_EXECUTION_TIME(60000) SET_VAR(sql_big_selects = ON) */
				table_name, column_name, collation_name, @@lower_case_table_names = 0
				FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name IN (%s)
				ORDER BY table_name, ordinal_position LIMIT 10000""".formatted(literals(tables));
	}

	/**
	 * The columns of the indexes of tables, in their order: table, column, index, and
	 * whether the server tells tables apart by the case of their names.
	 */
	String indexes(Collection<String> tables) {
		return """
				SELECT /*+ MAX_EXECUTION_TIME(60000) SET_VAR(sql_big_selects = ON) */
				table_name, column_name, index_name, @@lower_case_table_names = 0
				FROM information_schema.statistics WHERE table_schema = DATABASE() AND table_name IN (%s)
				ORDER BY table_name, index_name, seq_in_index LIMIT 10000""".formatted(literals(tables));
	}

	/** The comment on a table. */
	String comment(String table) {
		return """
				SELECT /*+ MAX_EXECUTION_TIME(60000) SET_VAR(sql_big_selects = ON) */ table_comment
				FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = '%s'"""
			.formatted(table);
	}

	static String literals(Collection<String> names) {
		return names.stream().map((name) -> "'" + name + "'").collect(Collectors.joining(", "));
	}

	/** Whether a text is equal to no other in a collation. */
	boolean isDistinct(String collation) {
		return this.distinct.matcher(collation).matches();
	}

	/** Adds a column. */
	String addColumn(String table, ColumnDefinition column) {
		return "ALTER TABLE %s ADD COLUMN %s".formatted(table, column.definition());
	}

	/** Changes a column that is there. */
	String changeColumn(String table, ColumnDefinition column) {
		return "ALTER TABLE %s MODIFY COLUMN %s".formatted(table, column.definition());
	}

	/** Gives a table another primary key. */
	String changePrimaryKey(String table, IndexDefinition key) {
		return "ALTER TABLE %s DROP PRIMARY KEY, ADD PRIMARY KEY (%s)".formatted(table,
				String.join(", ", key.columns()));
	}

	/** Makes an index with the same name again. */
	String changeIndex(String table, IndexDefinition index) {
		return "ALTER TABLE %s DROP KEY %s".formatted(table, index.name())
				+ index.statement().substring(("ALTER TABLE " + table).length()).replaceFirst(" ADD", ", ADD");
	}

	/** A statement that fails if the server cannot carry it out at once. */
	String instantly(String statement) {
		return statement + ", ALGORITHM=INSTANT";
	}

	/** Whether a statement has waited for a table for as long as it may. */
	boolean isWaitOver(DataAccessException ex) {
		return ex instanceof PessimisticLockingFailureException;
	}

	/** Lets statements of the session wait a second, and no longer, for a table. */
	String limitWait() {
		return "SET @outbox_lock_wait_timeout = @@SESSION.lock_wait_timeout, SESSION lock_wait_timeout = 1";
	}

	/** Gives the session back how long it waits. */
	String restoreWait() {
		return "SET SESSION lock_wait_timeout = @outbox_lock_wait_timeout, @outbox_lock_wait_timeout = NULL";
	}

}
