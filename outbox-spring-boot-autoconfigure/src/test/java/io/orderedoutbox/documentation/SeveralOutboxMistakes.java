/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.documentation;

import java.util.List;

import javax.sql.DataSource;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * Mistakes with outboxes that have names.
 */
final class SeveralOutboxMistakes {

	private static final String TABLES = "outbox.named.audit.jdbc.table-prefix=audit_";

	private static final String CREATED = "outbox.named.audit.jdbc.initialize-schema=always";

	static final List<Mistake> TOGETHER = List.of(Mistake.properties("outbox.named.Audit.relay.workers=2"),
			Mistake.properties("outbox.named.audit.jdbc.table-prefix=outbox_", CREATED),
			Mistake.properties("outbox.named.audit.data-source=nowhere"),
			Mistake.beans("qualifies two `DataSource` beans with the name of the outbox `audit`", TwoOfTheAudit.class,
					"outbox.named.audit.relay.workers=2"),
			Mistake.properties("outbox.named.audit.relay.workers=0"),
			Mistake.properties("outbox.named.audit.relay.workers=many"),
			Mistake.properties("outbox.named.audit.retry.jitter=1.5"),
			Mistake.properties("outbox.named.audit.rabbit.format=xml", TABLES, CREATED),
			Mistake.properties("outbox.named.audit.monitor.sample-interval=10ms", TABLES, CREATED),
			Mistake.properties("outbox.named.audit.jdbc.initialize-schema=never", TABLES),
			Mistake.properties("outbox.named.audit.relay.mode=once", TABLES, CREATED),
			Mistake.properties("outbox.jdbc.verify-transaction=true", "outbox.named.audit.jdbc.verify-transaction=true",
					TABLES, CREATED));

	private SeveralOutboxMistakes() {
	}

	@Configuration(proxyBeanMethods = false)
	static class TwoOfTheAudit {

		@Bean(defaultCandidate = false)
		@Qualifier("audit")
		DataSource one() {
			return new DriverManagerDataSource();
		}

		@Bean(defaultCandidate = false)
		@Qualifier("audit")
		DataSource two() {
			return new DriverManagerDataSource();
		}

	}

}
