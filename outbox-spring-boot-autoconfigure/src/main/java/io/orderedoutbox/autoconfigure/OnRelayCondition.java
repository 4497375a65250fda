package io.orderedoutbox.autoconfigure;

import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;

/**
 * Matches where messages are relayed, for ever or once.
 */
final class OnRelayCondition extends AnyNestedCondition {

	OnRelayCondition() {
		super(ConfigurationPhase.PARSE_CONFIGURATION);
	}

	@ConditionalOnProperty(name = "outbox.relay.mode", havingValue = "continuous", matchIfMissing = true)
	static class Continuous {

	}

	@ConditionalOnProperty(name = "outbox.relay.mode", havingValue = "once")
	static class Once {

	}

}
