/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.monitor;

import io.orderedoutbox.autoconfigure.condition.ConditionalOnSwitch;
import io.orderedoutbox.autoconfigure.condition.EndpointIdIsFreeCondition;
import io.orderedoutbox.autoconfigure.condition.EndpointIdIsTakenCondition;
import io.orderedoutbox.autoconfigure.condition.NotInParentContext;
import io.orderedoutbox.autoconfigure.condition.Switch;
import io.orderedoutbox.monitor.console.OrderedOutboxEndpoint;
import io.orderedoutbox.monitor.console.OutboxConsoles;
import io.orderedoutbox.monitor.console.OutboxEndpoint;

import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.security.core.context.SecurityContextHolder;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for the Actuator endpoint of the outbox. It comes late, so that it
 * sees the endpoints of the application and of other libraries: two with the same id
 * would end the start.
 */
@AutoConfiguration(after = OutboxConsoleAutoConfiguration.class)
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@ConditionalOnClass({ WebEndpoint.class, ConditionalOnAvailableEndpoint.class })
@ConditionalOnSwitch(Switch.ANY_OUTBOX)
@ConditionalOnBean(OutboxConsoles.class)
public final class OutboxEndpointAutoConfiguration {

	@Bean
	@NotInParentContext
	@Conditional(EndpointIdIsFreeCondition.class)
	@ConditionalOnAvailableEndpoint(OutboxEndpoint.class)
	OutboxEndpoint orderedOutboxEndpoint(OutboxConsoles consoles) {
		return new OutboxEndpoint(consoles);
	}

	@Bean
	@NotInParentContext
	@Conditional(EndpointIdIsTakenCondition.class)
	@ConditionalOnAvailableEndpoint(OrderedOutboxEndpoint.class)
	OrderedOutboxEndpoint orderedOutboxEndpointUnderAnotherId(OutboxConsoles consoles) {
		return new OrderedOutboxEndpoint(consoles);
	}

	// Also for the endpoint of the inbox: without an outbox there is no audit trail
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
	@ConditionalOnClass(SecurityContextHolder.class)
	static class SecurityConfiguration {

		@Bean
		@NotInParentContext
		SignedInOperator orderedOutboxSignedInOperator() {
			return new SignedInOperator();
		}

	}

}
