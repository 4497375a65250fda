package io.orderedoutbox.autoconfigure;

import io.orderedoutbox.inbox.monitor.InboxConsole;
import io.orderedoutbox.inbox.shard.ShardQueues;
import io.orderedoutbox.monitor.InboxOverview;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.context.annotation.Bean;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for what the monitor page shows of the inbox.
 */
@AutoConfiguration(after = OutboxInboxMonitorAutoConfiguration.class, before = OutboxPageAutoConfiguration.class)
@ConditionalOnSwitchOrBean(value = Switch.CONSUMER, type = ShardQueues.class)
@ConditionalOnBean(InboxConsole.class)
public final class OutboxInboxPageAutoConfiguration {

	@Bean
	@NotInParentContext
	InboxOverview orderedInboxOverview(InboxConsole console) {
		return console::overview;
	}

}
