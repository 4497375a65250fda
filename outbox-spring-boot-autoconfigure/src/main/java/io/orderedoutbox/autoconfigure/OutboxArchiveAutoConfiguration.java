package io.orderedoutbox.autoconfigure;

import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.jdbc.admin.JdbcArchive;
import io.orderedoutbox.jdbc.admin.JdbcDeadLetters;
import io.orderedoutbox.monitor.RetentionPurge;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for how long what was published, and
 * what is dead, is kept.
 */
@AutoConfiguration(after = OutboxAutoConfiguration.class)
@ConditionalOnSwitch(Switch.OUTBOX)
@EnableConfigurationProperties({ OutboxArchiveProperties.class, OutboxDeadLetterProperties.class })
public final class OutboxArchiveAutoConfiguration {

	@Bean
	@NotInParentContext
	@ConditionalOnSwitch(Switch.ARCHIVE)
	@ConditionalOnBean(OutboxSchemaInitializer.class)
	@DependsOnDatabaseInitialization
	RetentionPurge orderedOutboxArchivePurge(OutboxDatabase database, OutboxArchiveProperties properties) {
		return new RetentionPurge("outbox-archive-purge", new JdbcArchive(database.background()),
				properties.retention());
	}

	@Bean
	@NotInParentContext
	@ConditionalOnBean(OutboxSchemaInitializer.class)
	@DependsOnDatabaseInitialization
	RetentionPurge orderedOutboxDeadLetterPurge(OutboxDatabase database, OutboxDeadLetterProperties properties) {
		return new RetentionPurge("outbox-dead-letter-purge", new JdbcDeadLetters(database.background()),
				properties.retention());
	}

}
