/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.testing;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.orderedoutbox.payload.PayloadContext;
import io.orderedoutbox.payload.PayloadTransformer;
import io.orderedoutbox.payload.PayloadUnavailableException;
import org.jspecify.annotations.Nullable;

/**
 * Changes nothing, and asks a server when that is to be undone. The server is away until
 * told otherwise.
 */
public class RemoteTransformer implements PayloadTransformer {

	public final AtomicInteger questions = new AtomicInteger();

	public volatile boolean isAway = true;

	public volatile boolean isNew = true;

	public volatile Duration takes = Duration.ZERO;

	private final UndoneBy undoneBy;

	public RemoteTransformer(UndoneBy undoneBy) {
		this.undoneBy = undoneBy;
	}

	@Override
	public final String encoding() {
		return "remote";
	}

	@Override
	public final UndoneBy undoneBy() {
		return this.undoneBy;
	}

	@Override
	public byte @Nullable [] encode(byte[] payload, PayloadContext context) {
		return this.isNew ? payload.clone() : null;
	}

	@Override
	public final byte[] decode(byte[] payload, PayloadContext context) {
		this.questions.incrementAndGet();
		try {
			TimeUnit.NANOSECONDS.sleep(this.takes.toNanos());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		if (this.isAway) {
			throw new PayloadUnavailableException("the key server is away", null);
		}
		return payload.clone();
	}

}
