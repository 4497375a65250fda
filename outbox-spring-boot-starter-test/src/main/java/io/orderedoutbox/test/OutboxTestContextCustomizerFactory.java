/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.test;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.orderedoutbox.autoconfigure.condition.OutboxNames;
import io.orderedoutbox.autoconfigure.condition.RelayMode;
import io.orderedoutbox.test.AutoConfigureOutboxTest.Part;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.TestContextAnnotationUtils;

/**
 * Tells the application context of a test what {@link AutoConfigureOutboxTest} asks for.
 * <p>
 * Some properties have other values than the application has given them:
 * <ol>
 * <li>The relay has the mode {@code continuous}. So all is there that a relay needs, and
 * no relay ends the process. What keeps it from working by itself is
 * {@link OutboxTestPostProcessor}. Where an outbox with a name would be relayed once, and
 * the process would end, it is not relayed.</li>
 * <li>Nothing removes messages for a program that reads the log of the database: the
 * library refuses that beside a relay.</li>
 * <li>What limits a relay that drains the outbox once does not limit
 * {@link OutboxRelayDriver}.</li>
 * <li>With messages in memory the relay has no pool of its own: there may be none that it
 * could copy.</li>
 * </ol>
 */
final class OutboxTestContextCustomizerFactory implements ContextCustomizerFactory {

	static final String STORE = "orderedoutbox.test.store";

	static final String SENDER = "orderedoutbox.test.sender";

	static final String IN_MEMORY = "in-memory";

	private static final Map<String, String> FIXED = Map.of("outbox.relay.mode", "continuous",
			"outbox.capture.retention", "0s", "outbox.relay.once.limit", "0", "outbox.relay.once.time-limit", "0s");

	@Override
	public @Nullable ContextCustomizer createContextCustomizer(Class<?> testClass,
			List<ContextConfigurationAttributes> configAttributes) {
		AutoConfigureOutboxTest annotation = TestContextAnnotationUtils.findMergedAnnotation(testClass,
				AutoConfigureOutboxTest.class);
		return (annotation != null) ? new Customizer(Set.of(annotation.replace())) : null;
	}

	/**
	 * Is the same for tests that can share a context.
	 */
	private record Customizer(Set<Part> replaced) implements ContextCustomizer {

		@Override
		public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration configuration) {
			Map<String, Object> properties = new HashMap<>(FIXED);
			properties.put(STORE, place(Part.STORE));
			properties.put(SENDER, place(Part.SENDER));
			if (this.replaced.contains(Part.STORE)) {
				// Blank is none
				properties.put("outbox.relay.pool-size", "");
			}
			ConfigurableEnvironment environment = context.getEnvironment();
			OutboxNames.of(environment)
				.stream()
				.map((name) -> OutboxNames.PREFIX + "." + name + ".relay.mode")
				.filter((mode) -> isOnce(environment, mode))
				.forEach((mode) -> properties.put(mode, "off"));
			environment.getPropertySources().addFirst(new MapPropertySource("outboxTest", properties));
		}

		private static boolean isOnce(Environment environment, String mode) {
			return Binder.get(environment).bind(mode, RelayMode.class).orElse(RelayMode.OFF) == RelayMode.ONCE;
		}

		private String place(Part part) {
			return this.replaced.contains(part) ? IN_MEMORY : "application";
		}

	}

}
