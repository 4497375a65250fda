/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.test;

import java.util.List;
import java.util.Map;
import java.util.Set;

import io.orderedoutbox.test.AutoConfigureOutboxTest.Part;
import org.jspecify.annotations.Nullable;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.TestContextAnnotationUtils;

/**
 * Tells the application context of a test what {@link AutoConfigureOutboxTest} asks for.
 * <p>
 * The relay has the mode {@code continuous}, whatever the application has configured. So
 * all is there that a relay needs, and no relay ends the process. What keeps it from
 * working by itself is {@link OutboxTestPostProcessor}.
 */
final class OutboxTestContextCustomizerFactory implements ContextCustomizerFactory {

	static final String STORE = "orderedoutbox.test.store";

	static final String SENDER = "orderedoutbox.test.sender";

	static final String IN_MEMORY = "in-memory";

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
			context.getEnvironment()
				.getPropertySources()
				.addFirst(new MapPropertySource("outboxTest", Map.of("outbox.relay.mode", "continuous", STORE,
						place(Part.STORE), SENDER, place(Part.SENDER))));
		}

		private String place(Part part) {
			return this.replaced.contains(part) ? IN_MEMORY : "application";
		}

	}

}
