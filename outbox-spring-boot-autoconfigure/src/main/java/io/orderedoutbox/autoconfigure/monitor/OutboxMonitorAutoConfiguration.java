/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.monitor;

import java.util.List;

import io.orderedoutbox.admin.OutboxAdministration;
import io.orderedoutbox.admin.RelayWorkers;
import io.orderedoutbox.autoconfigure.EachOutbox;
import io.orderedoutbox.autoconfigure.OutboxAutoConfiguration;
import io.orderedoutbox.autoconfigure.OutboxProperties;
import io.orderedoutbox.autoconfigure.OutboxSchemaInitializer;
import io.orderedoutbox.autoconfigure.condition.ConditionalOnSwitch;
import io.orderedoutbox.autoconfigure.condition.NotInParentContext;
import io.orderedoutbox.autoconfigure.condition.Switch;
import io.orderedoutbox.autoconfigure.relay.OutboxRelayAutoConfiguration;
import io.orderedoutbox.jdbc.JdbcInstances;
import io.orderedoutbox.jdbc.JdbcPause;
import io.orderedoutbox.jdbc.JdbcThroughput;
import io.orderedoutbox.jdbc.JdbcWorkerRegistry;
import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.jdbc.backlog.JdbcBacklogReader;
import io.orderedoutbox.monitor.BacklogSampler;
import io.orderedoutbox.monitor.CommonPause;
import io.orderedoutbox.monitor.HealthSources;
import io.orderedoutbox.monitor.InstanceHeartbeat;
import io.orderedoutbox.monitor.LastSuccess;
import io.orderedoutbox.monitor.StuckKeysLog;
import io.orderedoutbox.monitor.WorkerHeartbeat;
import io.orderedoutbox.relay.OutboxRelay;
import io.orderedoutbox.relay.recovery.CrashRecovery;
import io.orderedoutbox.store.BacklogReader;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for what metrics, health and
 * endpoint show, and no more than that.
 */
@EachOutbox
@AutoConfiguration(after = { OutboxAutoConfiguration.class, OutboxRelayAutoConfiguration.class })
@ConditionalOnSwitch(Switch.OUTBOX)
@EnableConfigurationProperties(OutboxMonitorProperties.class)
public final class OutboxMonitorAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(BacklogReader.class)
	@ConditionalOnBean(OutboxSchemaInitializer.class)
	@DependsOnDatabaseInitialization
	JdbcBacklogReader orderedOutboxBacklogReader(OutboxDatabase database) {
		return new JdbcBacklogReader(database.background());
	}

	@Bean
	@NotInParentContext
	@ConditionalOnSwitch(Switch.CONTINUOUS_RELAY)
	@ConditionalOnBean(OutboxRelay.class)
	LastSuccess orderedOutboxLastSuccess() {
		return new LastSuccess();
	}

	@Bean
	@NotInParentContext
	@ConditionalOnBean(BacklogReader.class)
	BacklogSampler orderedOutboxBacklogSampler(BacklogReader reader, OutboxMonitorProperties properties) {
		return new BacklogSampler(reader, properties.sampleInterval());
	}

	@Bean
	@NotInParentContext
	@ConditionalOnBean(OutboxDatabase.class)
	HealthSources orderedOutboxHealthSources(OutboxDatabase database, ObjectProvider<OutboxRelay> relay,
			ObjectProvider<BacklogSampler> sampler, ObjectProvider<LastSuccess> lastSuccess) {
		return new HealthSources(database.agreement()::refusal, relay.getIfAvailable(), sampler.getIfAvailable(),
				lastSuccess.getIfAvailable());
	}

	// Also in an instance that does not relay: it can show the workers of others
	@Bean
	@ConditionalOnMissingBean(RelayWorkers.class)
	@ConditionalOnBean(OutboxSchemaInitializer.class)
	@DependsOnDatabaseInitialization
	JdbcWorkerRegistry orderedOutboxRelayWorkers(OutboxDatabase database) {
		return new JdbcWorkerRegistry(database.background());
	}

	@Bean
	@NotInParentContext
	@ConditionalOnBean(OutboxSchemaInitializer.class)
	@DependsOnDatabaseInitialization
	JdbcThroughput orderedOutboxThroughput(OutboxDatabase database) {
		return new JdbcThroughput(database.background());
	}

	@Bean
	@NotInParentContext
	@ConditionalOnBean(OutboxSchemaInitializer.class)
	@DependsOnDatabaseInitialization
	CommonPause orderedOutboxCommonPause(OutboxDatabase database, ObjectProvider<OutboxRelay> relay) {
		return new CommonPause(new JdbcPause(database.background()), relay.getIfAvailable());
	}

	@Bean
	@NotInParentContext
	@ConditionalOnBean(OutboxSchemaInitializer.class)
	@DependsOnDatabaseInitialization
	JdbcInstances orderedOutboxInstanceTable(OutboxDatabase database, OutboxProperties outbox,
			OutboxMonitorProperties properties) {
		return new JdbcInstances(database.background(), () -> InstanceHeartbeat.self(outbox.ordered()),
				properties.heartbeatInterval().multipliedBy(InstanceHeartbeat.BEATS_TO_MISS));
	}

	@Bean
	@NotInParentContext
	@ConditionalOnBean(JdbcInstances.class)
	CrashRecovery orderedOutboxCrashRecovery(JdbcInstances instances) {
		return new CrashRecovery(instances);
	}

	@Bean
	@NotInParentContext
	@ConditionalOnBean(CrashRecovery.class)
	InstanceHeartbeat orderedOutboxInstanceHeartbeat(JdbcInstances instances, CrashRecovery recovery,
			OutboxMonitorProperties properties) {
		return new InstanceHeartbeat(instances, properties.heartbeatInterval(), recovery::isIdle);
	}

	// Spring stops a bean that depends on the relay before the relay, regardless of
	// phases: the provider leaves no dependency behind
	@Bean
	@NotInParentContext
	@ConditionalOnSwitch(Switch.CONTINUOUS_RELAY)
	@ConditionalOnBean({ OutboxRelay.class, JdbcWorkerRegistry.class, JdbcThroughput.class, CommonPause.class })
	WorkerHeartbeat orderedOutboxWorkerHeartbeat(ObjectProvider<OutboxRelay> relay, JdbcWorkerRegistry registry,
			JdbcThroughput throughput, CommonPause pause, OutboxMonitorProperties properties) {
		return new WorkerHeartbeat(relay.getObject(), registry, throughput, pause, properties.heartbeatInterval());
	}

	// The provider of the relay: see above
	@Bean
	@NotInParentContext
	@ConditionalOnSwitch(Switch.CONTINUOUS_RELAY)
	@ConditionalOnBean({ OutboxRelay.class, OutboxAdministration.class })
	StuckKeysLog orderedOutboxStuckKeysLog(OutboxAdministration administration, ObjectProvider<OutboxRelay> relay,
			ObjectProvider<RelayWorkers> workers, ObjectProvider<WorkerHeartbeat> heartbeat,
			OutboxMonitorProperties properties) {
		WorkerHeartbeat self = heartbeat.getIfAvailable();
		return (self != null)
				? new StuckKeysLog(administration, () -> relay.getObject().status(), workers.getObject()::list,
						self.instance(), properties.summaryInterval())
				: new StuckKeysLog(administration, () -> relay.getObject().status(), List::of, "",
						properties.summaryInterval());
	}

}
