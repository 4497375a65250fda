/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.monitor;

import io.orderedoutbox.admin.AuditTrail;
import io.orderedoutbox.admin.OperatorIdentity;
import io.orderedoutbox.admin.OperatorJournal;
import io.orderedoutbox.autoconfigure.EachOutbox;
import io.orderedoutbox.autoconfigure.OutboxAutoConfiguration;
import io.orderedoutbox.autoconfigure.condition.ConditionalOnSwitch;
import io.orderedoutbox.autoconfigure.condition.NotInParentContext;
import io.orderedoutbox.autoconfigure.condition.Switch;
import io.orderedoutbox.jdbc.JdbcAuditTrail;
import io.orderedoutbox.jdbc.OutboxDatabase;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.core.context.SecurityContextHolder;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for who operates the outbox, and
 * what was done.
 */
@EachOutbox
@AutoConfiguration(after = OutboxAutoConfiguration.class)
@ConditionalOnSwitch(Switch.OUTBOX)
public final class OutboxOperatorAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	AuditTrail orderedOutboxAuditTrail(OutboxDatabase database) {
		return new JdbcAuditTrail(database);
	}

	@Bean
	@NotInParentContext
	OperatorJournal orderedOutboxOperatorJournal(OperatorIdentity identity, AuditTrail trail) {
		return new OperatorJournal(identity, trail);
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(SecurityContextHolder.class)
	static class SecurityConfiguration {

		@Bean
		@ConditionalOnMissingBean(OperatorIdentity.class)
		SecurityOperatorIdentity orderedOutboxOperatorIdentity() {
			return new SecurityOperatorIdentity();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnMissingClass("org.springframework.security.core.context.SecurityContextHolder")
	static class NobodyConfiguration {

		@Bean
		@ConditionalOnMissingBean
		OperatorIdentity orderedOutboxOperatorIdentity() {
			return () -> null;
		}

	}

}
