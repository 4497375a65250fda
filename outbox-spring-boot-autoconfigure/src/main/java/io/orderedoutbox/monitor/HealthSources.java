/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor;

import java.util.function.Supplier;

import io.orderedoutbox.relay.OutboxRelay;
import org.jspecify.annotations.Nullable;

/**
 * Who knows the state of the outbox.
 *
 * @param refusal says why this instance publishes nothing, because it does not agree with
 * its outbox; {@code null} if it does
 * @param relay the relay of this instance, {@code null} if it only publishes
 * @param sampler knows the backlog, {@code null} if there is no sampler
 * @param lastSuccess knows when a message was last published, {@code null} if the
 * application does not keep that
 */
public record HealthSources(Supplier<@Nullable String> refusal, @Nullable OutboxRelay relay,
		@Nullable BacklogSampler sampler, @Nullable LastSuccess lastSuccess) {

}
