/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.observation;

import io.micrometer.context.ThreadLocalAccessor;
import io.orderedoutbox.OutboxSuppression;
import org.jspecify.annotations.Nullable;

/**
 * Carries an {@link OutboxSuppression} over to other threads, where the application
 * propagates its context. The library that propagates finds this class by itself.
 */
public final class SuppressionAccessor implements ThreadLocalAccessor<Boolean> {

	/**
	 * Under which the context keeps it.
	 */
	public static final String KEY = OutboxSuppression.class.getName();

	@Override
	public Object key() {
		return KEY;
	}

	@Override
	public @Nullable Boolean getValue() {
		return OutboxSuppression.isActive() ? true : null;
	}

	@Override
	public void setValue(Boolean active) {
		OutboxSuppression.setActive(active);
	}

	@Override
	public void setValue() {
		OutboxSuppression.setActive(false);
	}

}
