/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.diagnostics;

import java.nio.charset.Charset;
import java.util.Map;

import io.orderedoutbox.autoconfigure.OutboxProperties;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Tests for {@link PropertyFailureAnalyzer}. {@code MistakesTests} shows what it says
 * where an application starts.
 */
@Tag("unit")
class PropertyFailureAnalyzerTests {

	private final StandardEnvironment environment = new StandardEnvironment();

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
			outbox.relay.workers       | 0    | 'outbox.relay.workers' must be between 1 and 64, but is 0.
			outbox.retry.on-exhausted  | drop | 'outbox.retry.on-exhausted' cannot be 'drop'.
			outbox.relay.poll-interval | soon | 'outbox.relay.poll-interval' cannot be 'soon'.
			""")
	void namesThePropertyAndWhereItIsSet(String name, String value, String description) {
		FailureAnalysis analysis = analyze(name, value, "outbox", OutboxProperties.class);
		assertThat(analysis).isNotNull();
		assertThat(analysis.getDescription()).isEqualTo(description);
		assertThat(analysis.getAction()).endsWith("%s (\"%1$s\" from property source \"test\").".formatted(name));
	}

	@Test
	void namesAllPropertiesThatDoNotFitTogether() {
		FailureAnalysis analysis = analyze("outbox.relay.confirm-timeout", "20s", "outbox", OutboxProperties.class);
		assertThat(analysis).isNotNull();
		assertThat(analysis.getAction()).startsWith("Correct outbox.relay.confirm-timeout (")
			.endsWith(" or outbox.relay.lock-timeout.");
	}

	@Test
	void leavesPropertiesOfOthersToSpringBoot() {
		assertThat(analyze("shop.workers", "many", "shop.workers", Integer.class)).isNull();
	}

	@Test
	void leavesWhatItHasNoWordsForToSpringBoot() {
		assertThat(analyze("outbox.shop", "many", "outbox.shop", Charset.class)).isNull();
	}

	private @Nullable FailureAnalysis analyze(String name, String value, String prefix, Class<?> type) {
		this.environment.getPropertySources().addFirst(new MapPropertySource("test", Map.of(name, value)));
		BindException failure = catchThrowableOfType(BindException.class,
				() -> Binder.get(this.environment).bind(prefix, type));
		assertThat(failure).isNotNull();
		return new PropertyFailureAnalyzer(this.environment).analyze(new IllegalStateException(failure));
	}

}
