/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.inbox;

import io.orderedoutbox.autoconfigure.condition.ConditionalOnSwitchOrBean;
import io.orderedoutbox.autoconfigure.condition.InboxEndpointIdIsFreeCondition;
import io.orderedoutbox.autoconfigure.condition.InboxEndpointIdIsTakenCondition;
import io.orderedoutbox.autoconfigure.condition.NotInParentContext;
import io.orderedoutbox.autoconfigure.condition.Switch;
import io.orderedoutbox.inbox.monitor.InboxConsole;
import io.orderedoutbox.inbox.monitor.InboxEndpoint;
import io.orderedoutbox.inbox.monitor.OrderedInboxEndpoint;
import io.orderedoutbox.inbox.shard.ShardQueues;

import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.Ordered;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for the Actuator endpoint of the inbox. It comes late, so that it
 * sees the endpoints of the application and of other libraries: two with the same id
 * would end the start.
 */
@AutoConfiguration(after = OutboxInboxMonitorAutoConfiguration.class)
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@ConditionalOnClass({ WebEndpoint.class, ConditionalOnAvailableEndpoint.class })
@ConditionalOnSwitchOrBean(value = Switch.CONSUMER, type = ShardQueues.class)
@ConditionalOnBean(InboxConsole.class)
public final class OutboxInboxEndpointAutoConfiguration {

	@Bean
	@NotInParentContext
	@Conditional(InboxEndpointIdIsFreeCondition.class)
	@ConditionalOnAvailableEndpoint(InboxEndpoint.class)
	InboxEndpoint orderedInboxEndpoint(InboxConsole console) {
		return new InboxEndpoint(console);
	}

	@Bean
	@NotInParentContext
	@Conditional(InboxEndpointIdIsTakenCondition.class)
	@ConditionalOnAvailableEndpoint(OrderedInboxEndpoint.class)
	OrderedInboxEndpoint orderedInboxEndpointUnderAnotherId(InboxConsole console) {
		return new OrderedInboxEndpoint(console);
	}

}
