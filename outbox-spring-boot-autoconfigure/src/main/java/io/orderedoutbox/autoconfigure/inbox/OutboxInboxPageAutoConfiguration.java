/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.inbox;

import java.util.List;

import io.orderedoutbox.autoconfigure.condition.ConditionalOnSwitchOrBean;
import io.orderedoutbox.autoconfigure.condition.NotInParentContext;
import io.orderedoutbox.autoconfigure.condition.Switch;
import io.orderedoutbox.autoconfigure.monitor.OutboxPageAutoConfiguration;
import io.orderedoutbox.inbox.monitor.DeadLetterConsole;
import io.orderedoutbox.inbox.monitor.InboxConsole;
import io.orderedoutbox.inbox.monitor.VerbAnswer;
import io.orderedoutbox.inbox.shard.ShardQueues;
import io.orderedoutbox.monitor.console.InboxOverview;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.context.annotation.Bean;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for what the monitor page shows of the inbox, and does there.
 */
@AutoConfiguration(after = OutboxInboxMonitorAutoConfiguration.class, before = OutboxPageAutoConfiguration.class)
@ConditionalOnSwitchOrBean(value = Switch.CONSUMER, type = ShardQueues.class)
@ConditionalOnBean(InboxConsole.class)
public final class OutboxInboxPageAutoConfiguration {

	@Bean
	@NotInParentContext
	InboxOverview orderedInboxOverview(InboxConsole console) {
		return new ShownInbox(console);
	}

	private record ShownInbox(InboxConsole console) implements InboxOverview {

		@Override
		public Object current() {
			return this.console.overview();
		}

		@Override
		public Reply deadLetters(@Nullable String from, @Nullable String until) {
			return reply(this.console.deadLetters(from, until));
		}

		@Override
		public List<String> verbs() {
			return DeadLetterConsole.VERBS;
		}

		@Override
		public Reply act(String verb, @Nullable String shards, @Nullable String id) {
			return reply(this.console.act(verb, shards, id));
		}

		private static Reply reply(VerbAnswer answer) {
			return new Reply(answer.status(), answer.body());
		}

	}

}
