/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure;

import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.autoconfigure.condition.RelayMode;
import io.orderedoutbox.autoconfigure.condition.ConditionalOnSwitch;
import io.orderedoutbox.autoconfigure.condition.NotInParentContext;
import io.orderedoutbox.autoconfigure.condition.Switch;
import io.orderedoutbox.jdbc.JdbcWorkerRegistry;
import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.jdbc.retention.JdbcArchive;
import io.orderedoutbox.jdbc.retention.JdbcCapturedMessages;
import io.orderedoutbox.jdbc.retention.JdbcDeadLetters;
import io.orderedoutbox.monitor.RetentionPurge;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for how long what was published,
 * what is dead, and what another program has captured, is kept.
 */
@EachOutbox
@AutoConfiguration(after = OutboxAutoConfiguration.class)
@ConditionalOnSwitch(Switch.OUTBOX)
@EnableConfigurationProperties({ OutboxArchiveProperties.class, OutboxDeadLetterProperties.class,
		OutboxCaptureProperties.class })
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

	@Bean
	@NotInParentContext
	@ConditionalOnBean(OutboxSchemaInitializer.class)
	@DependsOnDatabaseInitialization
	RetentionPurge orderedOutboxCapturePurge(OutboxDatabase database, OutboxCaptureProperties properties,
			OutboxProperties outbox) {
		if (!properties.retention().isZero() && outbox.relay().mode() != RelayMode.OFF) {
			throw new OutboxConfigurationException(
					"'outbox.capture.retention' removes messages that the relay of this application has yet to send.",
					"Set outbox.relay.mode=off, on all instances, if another program reads the messages from the log of the database. Remove outbox.capture.retention otherwise: a relay removes what it has sent.");
		}
		OutboxDatabase background = database.background();
		return new RetentionPurge("outbox-capture-purge",
				new JdbcCapturedMessages(background, new JdbcWorkerRegistry(background)), properties.retention());
	}

}
