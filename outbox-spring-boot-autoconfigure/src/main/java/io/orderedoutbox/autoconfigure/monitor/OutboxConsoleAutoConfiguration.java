/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.monitor;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

import io.orderedoutbox.admin.OperatorJournal;
import io.orderedoutbox.admin.OutboxAdministration;
import io.orderedoutbox.admin.RelayWorkers;
import io.orderedoutbox.admin.VerbResult;
import io.orderedoutbox.autoconfigure.EachOutbox;
import io.orderedoutbox.autoconfigure.OutboxArchiveProperties;
import io.orderedoutbox.autoconfigure.OutboxAutoConfiguration;
import io.orderedoutbox.autoconfigure.OutboxDeadLetterProperties;
import io.orderedoutbox.autoconfigure.OutboxIdentity;
import io.orderedoutbox.autoconfigure.OutboxJdbcProperties;
import io.orderedoutbox.autoconfigure.condition.ConditionalOnSwitch;
import io.orderedoutbox.autoconfigure.condition.NotInParentContext;
import io.orderedoutbox.autoconfigure.condition.Switch;
import io.orderedoutbox.autoconfigure.relay.OutboxRelayAutoConfiguration;
import io.orderedoutbox.jdbc.JdbcThroughput;
import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.jdbc.connection.DatabaseName;
import io.orderedoutbox.monitor.CommonPause;
import io.orderedoutbox.monitor.WorkerHeartbeat;
import io.orderedoutbox.monitor.console.AllInstances;
import io.orderedoutbox.monitor.console.AuditDescriptor;
import io.orderedoutbox.monitor.console.ContentDescriptor;
import io.orderedoutbox.monitor.console.GroupsDescriptor;
import io.orderedoutbox.monitor.console.InstanceDescriptor;
import io.orderedoutbox.monitor.console.Instances;
import io.orderedoutbox.monitor.console.ListDescriptor;
import io.orderedoutbox.monitor.console.MessageDescriptor;
import io.orderedoutbox.monitor.console.Operations;
import io.orderedoutbox.monitor.console.OutboxConsole;
import io.orderedoutbox.monitor.console.OutboxConsoles;
import io.orderedoutbox.monitor.console.OverviewDescriptor;
import io.orderedoutbox.monitor.console.ThisInstance;
import io.orderedoutbox.relay.OutboxRelay;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.context.annotation.Lazy;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for what endpoint and page have in common. Nothing of it is there
 * until one of them asks for it.
 */
@Lazy
@ImportRuntimeHints(MonitorRuntimeHints.class)
@RegisterReflectionForBinding(classes = { AuditDescriptor.class, ContentDescriptor.class, GroupsDescriptor.class,
		InstanceDescriptor.class, ListDescriptor.class, MessageDescriptor.class, OutboxArchiveProperties.class,
		OutboxDeadLetterProperties.class, OutboxHealthProperties.class, OverviewDescriptor.class, VerbResult.class },
		classNames = { "io.orderedoutbox.monitor.console.Answer",
				"io.orderedoutbox.monitor.console.MonitorSampler$Sample",
				"io.orderedoutbox.monitor.console.MonitorPage$Action",
				"io.orderedoutbox.monitor.console.MonitorPage$InboxAction" })
@EachOutbox
@AutoConfiguration(after = { OutboxAutoConfiguration.class, OutboxRelayAutoConfiguration.class })
@ConditionalOnSwitch(Switch.OUTBOX)
@ConditionalOnBean(OutboxAdministration.class)
@EnableConfigurationProperties(OutboxMonitorProperties.class)
public final class OutboxConsoleAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	Instances orderedOutboxInstances(ObjectProvider<OutboxRelay> relay, ObjectProvider<WorkerHeartbeat> heartbeat,
			ObjectProvider<RelayWorkers> workers, ObjectProvider<JdbcThroughput> throughput,
			ObjectProvider<CommonPause> pause, OutboxMonitorProperties monitor) {
		Instances self = new ThisInstance(relay.getIfAvailable());
		RelayWorkers all = workers.getIfAvailable();
		if (all == null) {
			return self;
		}
		// Without a heartbeat an instance neither adds what it has published nor obeys a
		// common pause
		boolean deaf = monitor.heartbeatInterval().isZero()
				|| (relay.getIfAvailable() != null && heartbeat.getIfAvailable() == null);
		return deaf ? new AllInstances(self, heartbeat.getIfAvailable(), all, null, null) : new AllInstances(self,
				heartbeat.getIfAvailable(), all, throughput.getIfAvailable(), pause.getIfAvailable());
	}

	@Bean
	@NotInParentContext
	OutboxConsole orderedOutboxConsole(OutboxAdministration administration, ObjectProvider<OperatorJournal> journal,
			ObjectProvider<OutboxRelay> relay, Instances instances, OutboxJdbcProperties jdbc,
			OutboxMonitorProperties monitor, ListableBeanFactory beans, ObjectProvider<OutboxDatabase> database,
			ObjectProvider<OutboxIdentity> identity) {
		return new OutboxConsole(
				new Operations(administration, journal.getIfAvailable(() -> OperatorJournal.OF_NOBODY)),
				relay.getIfAvailable(), instances, asWritten(EffectiveConfiguration.of(beans, jdbc), identity),
				() -> name(database.getIfAvailable()), monitor.showPayloads());
	}

	private static Map<String, String> asWritten(Map<String, String> values, ObjectProvider<OutboxIdentity> identity) {
		UnaryOperator<String> known = OutboxIdentity.asWritten(identity);
		Map<String, String> written = new TreeMap<>();
		values.forEach((name, value) -> written.put(known.apply(name), value));
		return written;
	}

	// Where there are outboxes with names, another bean has the consoles of all
	@Bean
	@NotInParentContext
	OutboxConsoles orderedOutboxConsoles(OutboxConsole console) {
		return new OutboxConsoles(console, Map.of());
	}

	// An application can have an administration of its own
	private static String name(@Nullable OutboxDatabase database) {
		return (database != null) ? DatabaseName.of(database.dataSource()) : "of the outbox";
	}

}
