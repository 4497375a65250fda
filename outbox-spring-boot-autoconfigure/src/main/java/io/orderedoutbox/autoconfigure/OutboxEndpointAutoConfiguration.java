package io.orderedoutbox.autoconfigure;

import io.orderedoutbox.monitor.OutboxConsole;
import io.orderedoutbox.monitor.OutboxEndpoint;

import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for the Actuator endpoint of the outbox.
 */
@AutoConfiguration(after = OutboxConsoleAutoConfiguration.class)
@ConditionalOnClass({ WebEndpoint.class, ConditionalOnAvailableEndpoint.class })
@ConditionalOnSwitch(Switch.OUTBOX)
@ConditionalOnBean(OutboxConsole.class)
@ConditionalOnAvailableEndpoint(OutboxEndpoint.class)
public final class OutboxEndpointAutoConfiguration {

	@Bean
	@NotInParentContext
	OutboxEndpoint outboxEndpoint(OutboxConsole console) {
		return new OutboxEndpoint(console);
	}

}
