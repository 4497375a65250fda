/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.named;

import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the properties that an outbox with a name sees.
 */
@Tag("unit")
class NamedEnvironmentTests {

	private final StandardEnvironment application = new StandardEnvironment();

	@Test
	void itHasItsOwnPropertiesAndInheritsNoneOfAnotherOutbox() {
		add(new MapPropertySource("file", Map.of("outbox.ordered", "true", "outbox.named.billing.relay.workers",
				"${count}", "outbox.named.shipping.partitions", "8", "count", "3")));
		assertThat(seen("outbox.relay.workers")).isEqualTo("3");
		assertThat(seen("outbox.ordered")).isNull();
		assertThat(seen("outbox.partitions")).isNull();
		assertThat(seen("outbox.named.shipping.partitions")).isNull();
		assertThat(seen("count")).isEqualTo("3");
	}

	@Test
	void variablesOfTheEnvironmentAreItsOwnAsWell() {
		add(new SystemEnvironmentPropertySource("test-systemEnvironment",
				Map.of("OUTBOX_ORDERED", "true", "OUTBOX_NAMED_BILLING_RELAY_WORKERS", "3", "COUNT", "7")));
		assertThat(seen("outbox.relay.workers")).isEqualTo("3");
		assertThat(seen("outbox.ordered")).isNull();
		assertThat(seen("count")).isEqualTo("7");
	}

	@Test
	void soIsWhatASourceHasThatDoesNotTellItsNames() {
		Map<String, String> values = Map.of("outbox.ordered", "true", "outbox.named.billing.relay.workers", "3",
				"count", "7");
		add(new PropertySource<Object>("directory") {

			@Override
			public @Nullable Object getProperty(String name) {
				return values.get(name);
			}

		});
		assertThat(seen("outbox.relay.workers")).isEqualTo("3");
		assertThat(seen("outbox.ordered")).isNull();
		assertThat(seen("count")).isEqualTo("7");
	}

	private void add(PropertySource<?> source) {
		this.application.getPropertySources().addFirst(source);
	}

	private @Nullable String seen(String property) {
		return Binder.get(new NamedEnvironment(this.application, "billing")).bind(property, String.class).orElse(null);
	}

}
