/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.test;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.MergedContextConfiguration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which properties of an application have other values in a test.
 */
@Tag("unit")
class OutboxTestContextCustomizerFactoryTests {

	@Test
	void noOutboxEndsTheProcess() {
		assertThat(value("outbox.named.audit.relay.mode", "ONCE")).isEqualTo("off");
		assertThat(value("outbox.named.audit.relay.mode", "continuous")).isEqualTo("continuous");
	}

	@Test
	void theRelayHasAPoolOfItsOwnOnlyBesideADatabase() {
		assertThat(value("outbox.relay.pool-size", "3")).isEmpty();
		assertThat(value("outbox.relay.pool-size", "3", InTheDatabase.class)).isEqualTo("3");
	}

	private static @Nullable String value(String name, String configured) {
		return value(name, configured, InMemory.class);
	}

	private static @Nullable String value(String name, String configured, Class<?> testClass) {
		ContextCustomizer customizer = new OutboxTestContextCustomizerFactory().createContextCustomizer(testClass,
				List.of());
		assertThat(customizer).isNotNull();
		try (GenericApplicationContext context = new GenericApplicationContext()) {
			context.getEnvironment()
				.getPropertySources()
				.addFirst(new MapPropertySource("application", Map.of(name, configured)));
			customizer.customizeContext(context, new MergedContextConfiguration(testClass, null, null, null, null));
			return context.getEnvironment().getProperty(name);
		}
	}

	@AutoConfigureOutboxTest
	static class InMemory {

	}

	@AutoConfigureOutboxTest(replace = AutoConfigureOutboxTest.Part.SENDER)
	static class InTheDatabase {

	}

}
