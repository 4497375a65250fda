package io.orderedoutbox.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

import io.orderedoutbox.OutboxConfigurationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.jdbc.init.DatabaseInitializationProperties;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.boot.sql.init.DatabaseInitializationSettings;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.Resource;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

/**
 * Creates the tables of the outbox where it is told to, and checks in any case that they
 * are there.
 * <p>
 * It works on a connection of its own, never on that of a transaction, and holds a named
 * lock of the server meanwhile, so that instances that start together do not meet.
 */
public class OutboxSchemaInitializer extends DataSourceScriptDatabaseInitializer {

	private static final Logger logger = LoggerFactory.getLogger(OutboxSchemaInitializer.class);

	private static final String DEFAULT_PREFIX = "outbox_";

	private static final String LOCK = "SELECT %s_LOCK(CONCAT('outbox:', LEFT(SHA2(CONCAT(DATABASE(), '.%s'), 256), 40))%s)";

	private final OutboxDatabase database;

	/**
	 * Create an initializer.
	 * @param database the database of the outbox
	 * @param properties whether to create the tables, and from which script
	 * @param defaultScript the script where the properties name none, with a placeholder
	 * for the platform
	 */
	public OutboxSchemaInitializer(OutboxDatabase database, DatabaseInitializationProperties properties,
			String defaultScript) {
		super(database.dataSource(), settings(database, properties, defaultScript));
		this.database = database;
	}

	// "embedded" means H2, HSQLDB and Derby, none of which can hold an outbox
	private static DatabaseInitializationSettings settings(OutboxDatabase database,
			DatabaseInitializationProperties properties, String defaultScript) {
		DatabaseInitializationSettings settings = new DatabaseInitializationSettings();
		boolean create = properties.getInitializeSchema() == DatabaseInitializationMode.ALWAYS;
		settings.setMode(create ? DatabaseInitializationMode.ALWAYS : DatabaseInitializationMode.NEVER);
		settings.setContinueOnError(properties.isContinueOnError());
		if (create) {
			String platform = (properties.getPlatform() != null) ? properties.getPlatform()
					: database.statements().dialect().platform();
			String script = (properties.getSchema() != null) ? properties.getSchema() : defaultScript;
			settings.setSchemaLocations(List.of(script.replace("@@platform@@", platform)));
		}
		return settings;
	}

	@Override
	public void afterPropertiesSet() throws Exception {
		super.afterPropertiesSet();
		try {
			this.database.verify();
		}
		catch (DataAccessResourceFailureException ex) {
			logger.warn("The tables of the outbox could not be checked, because the database cannot be reached: {}",
					ex.getMessage());
		}
		catch (DataAccessException ex) {
			throw new OutboxConfigurationException(
					"The tables of the outbox, '%1$smessage' and '%1$sstripe', are missing or not as they should be: %2$s."
						.formatted(this.database.tablePrefix(), ex.getMostSpecificCause().getMessage()),
					"Set outbox.jdbc.initialize-schema=always to have them created, or run schema-mysql.sql or schema-mariadb.sql (in package io.orderedoutbox.store of the library) with your migration tool.");
		}
	}

	@Override
	protected void runScripts(Scripts scripts) {
		ResourceDatabasePopulator populator = new ResourceDatabasePopulator();
		populator.setContinueOnError(scripts.isContinueOnError());
		populator.setSeparator(scripts.getSeparator());
		populator.setSqlScriptEncoding(StandardCharsets.UTF_8.name());
		scripts.forEach((script) -> populator.addScript(prefixed(script)));
		customize(populator);
		try (Connection connection = getDataSource().getConnection()) {
			runLocked(connection, populator);
		}
		catch (SQLException ex) {
			throw new DataAccessResourceFailureException("The tables of the outbox could not be created", ex);
		}
	}

	private void runLocked(Connection connection, ResourceDatabasePopulator populator) throws SQLException {
		String prefix = this.database.tablePrefix();
		if (query(connection, LOCK.formatted("GET", prefix, ", 60")) != 1) {
			throw new OutboxConfigurationException(
					"Another instance has been creating the tables of the outbox for more than a minute.",
					"Start again when it has finished, or find out what holds it up.");
		}
		try {
			populator.populate(connection);
		}
		finally {
			query(connection, LOCK.formatted("RELEASE", prefix, ""));
		}
	}

	private static int query(Connection connection, String sql) throws SQLException {
		try (Statement statement = connection.createStatement(); ResultSet result = statement.executeQuery(sql)) {
			return result.next() ? result.getInt(1) : 0;
		}
	}

	private Resource prefixed(Resource script) {
		try {
			String sql = script.getContentAsString(StandardCharsets.UTF_8)
				.replace(DEFAULT_PREFIX, this.database.tablePrefix());
			return new ByteArrayResource(sql.getBytes(StandardCharsets.UTF_8), script.getDescription());
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The script " + script + " could not be read", ex);
		}
	}

}
