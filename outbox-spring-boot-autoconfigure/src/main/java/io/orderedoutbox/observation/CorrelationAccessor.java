/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.observation;

import io.micrometer.context.ThreadLocalAccessor;
import io.orderedoutbox.Correlation;
import org.jspecify.annotations.Nullable;

/**
 * Carries a {@link Correlation} over to other threads, where the application propagates
 * its context. The library that propagates finds this class by itself.
 */
public final class CorrelationAccessor implements ThreadLocalAccessor<Correlation> {

	/**
	 * Under which the context keeps it.
	 */
	public static final String KEY = Correlation.class.getName();

	@Override
	public Object key() {
		return KEY;
	}

	@Override
	public @Nullable Correlation getValue() {
		return Correlation.current();
	}

	@Override
	public void setValue(Correlation correlation) {
		Correlation.setCurrent(correlation);
	}

	@Override
	public void setValue() {
		Correlation.setCurrent(null);
	}

}
