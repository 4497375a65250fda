/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.condition;

import io.orderedoutbox.store.OutboxStore;
import io.orderedoutbox.store.RelayStore;

import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;

/**
 * Matches unless the application stores messages by itself, for both writing and
 * relaying: only then no part of the library needs our tables.
 */
public final class OnJdbcStoreCondition extends AnyNestedCondition {

	OnJdbcStoreCondition() {
		super(ConfigurationPhase.REGISTER_BEAN);
	}

	@ConditionalOnMissingBean(OutboxStore.class)
	static class WritesToTables {

	}

	@ConditionalOnMissingBean(RelayStore.class)
	static class RelaysFromTables {

	}

}
