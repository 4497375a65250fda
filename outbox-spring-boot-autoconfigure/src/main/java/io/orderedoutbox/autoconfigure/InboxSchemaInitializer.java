package io.orderedoutbox.autoconfigure;

import java.nio.charset.StandardCharsets;
import java.util.List;

import javax.sql.DataSource;

import io.orderedoutbox.OutboxConfigurationException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.boot.sql.init.DatabaseInitializationSettings;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.jdbc.datasource.init.ScriptException;

/**
 * Creates the tables of the inbox where it is told to.
 */
public class InboxSchemaInitializer extends DataSourceScriptDatabaseInitializer {

	private static final String DEFAULT_TABLE = "inbox_message";

	private static final String DEFAULT_DEAD_LETTERS = "inbox_dead_letter";

	private final String table;

	private final String deadLetterTable;

	/**
	 * Create an initializer.
	 * @param dataSource where the tables are
	 * @param platform {@code mysql} or {@code mariadb}, or {@code null} if the tables are
	 * not to be created
	 * @param table the name of the table of what was processed
	 * @param deadLetterTable the name of the table of dead letters that others follow
	 */
	public InboxSchemaInitializer(DataSource dataSource, @Nullable String platform, String table,
			String deadLetterTable) {
		super(dataSource, settings(platform));
		this.table = table;
		this.deadLetterTable = deadLetterTable;
	}

	private static DatabaseInitializationSettings settings(@Nullable String platform) {
		DatabaseInitializationSettings settings = new DatabaseInitializationSettings();
		settings.setMode((platform != null) ? DatabaseInitializationMode.ALWAYS : DatabaseInitializationMode.NEVER);
		if (platform != null) {
			settings.setSchemaLocations(List.of("classpath:io/orderedoutbox/inbox/schema-%s.sql".formatted(platform)));
		}
		return settings;
	}

	@Override
	public void afterPropertiesSet() throws Exception {
		try {
			super.afterPropertiesSet();
		}
		catch (ScriptException | IllegalStateException ex) {
			throw new OutboxConfigurationException(
					"The tables of the inbox could not be created: %s."
						.formatted(NestedExceptionUtils.getMostSpecificCause(ex).getMessage()),
					"Check the rights of the database's user, or run the script with your migration tool and set outbox.inbox.initialize-schema=never.",
					ex);
		}
	}

	@Override
	protected void runScripts(Scripts scripts) {
		ResourceDatabasePopulator populator = new ResourceDatabasePopulator();
		populator.setSqlScriptEncoding(StandardCharsets.UTF_8.name());
		scripts.forEach((script) -> populator.addScript(ScriptText.changed(script,
				(sql) -> sql.replace(DEFAULT_TABLE, this.table).replace(DEFAULT_DEAD_LETTERS, this.deadLetterTable))));
		populator.execute(getDataSource());
	}

}
