/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor.console;

import java.time.Duration;

import io.orderedoutbox.admin.BoundedCount;
import io.orderedoutbox.admin.OutboxFigures;
import io.orderedoutbox.monitor.Names;
import io.orderedoutbox.relay.RelayStatus;
import io.orderedoutbox.relay.RelayStatus.Outage;
import org.jspecify.annotations.Nullable;

/**
 * The outbox at a glance.
 *
 * @param backlog how many messages are in the outbox
 * @param stalled how many partition keys wait for another attempt
 * @param blocked how many partition keys wait for an operator
 * @param delayed how many partition keys wait for the time of their first message
 * @param deadLetters how many dead letters there are
 * @param archived how many messages are in the archive, {@code null} where there is none
 * @param oldestMillis for how long the oldest message has been there, {@code null} if
 * there is none
 * @param lagMillis for how long the oldest message that could be sent has been due,
 * {@code null} if there is none
 * @param relay the relay of this instance
 * @param allPaused whether an operator has paused the relays of all instances, who obey
 * with their next heartbeat
 */
public record OverviewDescriptor(BoundedCount backlog, BoundedCount stalled, BoundedCount blocked, BoundedCount delayed,
		BoundedCount deadLetters, @Nullable BoundedCount archived, @Nullable Long oldestMillis,
		@Nullable Long lagMillis, RelayDescriptor relay, boolean allPaused) {

	static OverviewDescriptor of(OutboxFigures figures, RelayDescriptor relay, boolean allPaused) {
		return new OverviewDescriptor(figures.backlog(), figures.stalled(), figures.blocked(), figures.delayed(),
				figures.deadLetters(), figures.archived(), millis(figures.oldest()), millis(figures.lag()), relay,
				allPaused);
	}

	private static @Nullable Long millis(@Nullable Duration duration) {
		return (duration != null) ? duration.toMillis() : null;
	}

	/**
	 * The relay of this instance.
	 *
	 * @param state what it is doing: off, stopped, running, pausing or paused
	 * @param workers number of its threads
	 * @param published how many messages it has published since the application began
	 * @param outage why it cannot work at the moment, {@code null} if it can as far as is
	 * known
	 */
	public record RelayDescriptor(String state, int workers, long published, @Nullable String outage) {

		static RelayDescriptor of(@Nullable RelayStatus relay) {
			if (relay == null) {
				return new RelayDescriptor("off", 0, 0, null);
			}
			Outage outage = relay.outage();
			return new RelayDescriptor(Names.of(relay.state()), relay.workers().size(), relay.published(),
					(outage != null) ? outage.reason() : null);
		}

	}

}
