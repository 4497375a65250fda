package io.orderedoutbox.autoconfigure;

import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.jdbc.admin.JdbcArchive;
import io.orderedoutbox.monitor.ArchivePurge;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for keeping what was published.
 */
@AutoConfiguration(after = OutboxAutoConfiguration.class)
@ConditionalOnSwitch(Switch.OUTBOX)
@EnableConfigurationProperties(OutboxArchiveProperties.class)
public final class OutboxArchiveAutoConfiguration {

	@Bean
	@NotInParentContext
	@ConditionalOnSwitch(Switch.ARCHIVE)
	@ConditionalOnBean(OutboxSchemaInitializer.class)
	@DependsOnDatabaseInitialization
	ArchivePurge orderedOutboxArchivePurge(OutboxDatabase database, OutboxArchiveProperties properties) {
		return new ArchivePurge(new JdbcArchive(database.background()), properties.retention());
	}

}
