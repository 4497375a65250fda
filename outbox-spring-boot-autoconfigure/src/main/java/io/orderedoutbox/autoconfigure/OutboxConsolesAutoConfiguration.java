package io.orderedoutbox.autoconfigure;

import java.util.HashMap;
import java.util.Map;

import io.orderedoutbox.monitor.OutboxConsole;
import io.orderedoutbox.monitor.OutboxConsoles;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Lazy;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for what operators see of all the
 * outboxes that there are. It is there when the endpoint asks for it.
 */
@Lazy
@AutoConfiguration(after = { OutboxConsoleAutoConfiguration.class, OutboxNamedAutoConfiguration.class })
@ConditionalOnSwitch(Switch.ANY_OUTBOX)
@Conditional(OutboxConsolesAutoConfiguration.AnyConsole.class)
public final class OutboxConsolesAutoConfiguration {

	@Bean
	@NotInParentContext
	OutboxConsoles orderedOutboxConsoles(ObjectProvider<OutboxConsole> console, ObjectProvider<NamedOutbox> named) {
		Map<String, OutboxConsole> others = new HashMap<>();
		named.forEach((outbox) -> outbox.beans()
			.getBeanProvider(OutboxConsole.class)
			.ifAvailable((known) -> others.put(outbox.name(), known)));
		return new OutboxConsoles(console.getIfAvailable(), others);
	}

	/**
	 * Matches if there is an outbox that operators can see.
	 */
	static final class AnyConsole extends AnyNestedCondition {

		AnyConsole() {
			super(ConfigurationPhase.REGISTER_BEAN);
		}

		@ConditionalOnBean(OutboxConsole.class)
		static class WithoutName {

		}

		@ConditionalOnNamedOutbox
		static class WithName {

		}

	}

}
