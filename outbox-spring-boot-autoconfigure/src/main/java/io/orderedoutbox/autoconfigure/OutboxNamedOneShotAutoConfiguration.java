package io.orderedoutbox.autoconfigure;

import java.util.LinkedHashMap;
import java.util.Map;

import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.once.OneShotExit;
import io.orderedoutbox.once.OneShotRunner;
import io.orderedoutbox.once.SeveralOneShots;
import io.orderedoutbox.relay.OutboxRelay;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for outboxes with names that are
 * drained once.
 */
@AutoConfiguration(after = { OutboxNamedAutoConfiguration.class, OutboxOneShotAutoConfiguration.class })
@ConditionalOnNamedOutbox
@ConditionalOnSwitch(Switch.NAMED_ONCE)
public final class OutboxNamedOneShotAutoConfiguration {

	@Bean
	SeveralOneShots orderedOutboxNamedOneShots(ObjectProvider<NamedOutbox> named, ObjectProvider<OutboxRelay> relay) {
		relay.ifAvailable((known) -> requireNoOther(OutboxNames.DEFAULT));
		Map<String, OneShotRunner> runners = new LinkedHashMap<>();
		named.orderedStream().forEach((outbox) -> {
			outbox.beans().getBeanProvider(OutboxRelay.class).ifAvailable((known) -> requireNoOther(outbox.name()));
			outbox.beans()
				.getBeanProvider(OneShotRunner.class)
				.ifAvailable((runner) -> runners.put(outbox.name(), runner));
		});
		return new SeveralOneShots(runners);
	}

	private static void requireNoOther(String name) {
		throw new OutboxConfigurationException(
				"The outbox '%s' is relayed all the time, and another one once: the process would end after that."
					.formatted(name),
				"Let all outboxes of the process have the relay mode 'once' or 'off'.");
	}

	@Bean
	@ConditionalOnMissingBean
	OneShotExit orderedOutboxNamedOneShotExit() {
		return new OneShotExit((context) -> System.exit(SpringApplication.exit(context)));
	}

}
