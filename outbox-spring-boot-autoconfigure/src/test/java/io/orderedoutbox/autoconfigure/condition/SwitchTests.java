/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.condition;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

import io.orderedoutbox.autoconfigure.OutboxProperties;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.env.PropertiesPropertySourceLoader;
import org.springframework.boot.env.PropertySourceLoader;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.ByteArrayResource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A switch says the same as the properties that are bound, however a value is written.
 */
@Tag("unit")
class SwitchTests {

	@ParameterizedTest
	@CsvSource({ "'', CONTINUOUS", "' ', CONTINUOUS", "'continuous ', CONTINUOUS", "' continuous', CONTINUOUS",
			"CONTINUOUS, CONTINUOUS", "conti-nuous, CONTINUOUS", "${NOWHERE:}, CONTINUOUS",
			"'${NOWHERE: }', CONTINUOUS", "'once ', ONCE", "'\tOnce', ONCE", "${NOWHERE:once}, ONCE", "'off ', OFF",
			"Off, OFF", "false, OFF", "'false ', OFF" })
	void theModeIsTheOneThatIsBound(String written, RelayMode mode) {
		assertMode(with("outbox.relay.mode", written), mode);
	}

	@ParameterizedTest
	@ValueSource(strings = { "outbox.relay.mode:", "outbox.relay.mode: ''", "outbox.relay.mode: ~",
			"outbox: {relay: {mode: }}", "outbox.relay:", "outbox:" })
	void aModeThatYamlLeavesOutIsTheDefault(String yaml) throws IOException {
		assertMode(with(read(new YamlPropertySourceLoader(), yaml)), RelayMode.CONTINUOUS);
	}

	@ParameterizedTest
	@CsvSource({ "off, OFF", "Off, OFF", "'\"once \"', ONCE", "no, OFF" })
	void aModeOfYamlIsTheOneThatIsBound(String written, RelayMode mode) throws IOException {
		assertMode(with(read(new YamlPropertySourceLoader(), "outbox.relay.mode: " + written)), mode);
	}

	@ParameterizedTest
	@CsvSource({ "'outbox.relay.mode=', CONTINUOUS", "'outbox.relay.mode=once ', ONCE",
			"'outbox.relay.mode = off\t', OFF", "'outbox.relay.mode=continuous  ', CONTINUOUS" })
	void spacesAtTheEndOfALineAreNoPartOfTheMode(String line, RelayMode mode) throws IOException {
		assertMode(with(read(new PropertiesPropertySourceLoader(), line)), mode);
	}

	@ParameterizedTest
	@CsvSource({ "'', CONTINUOUS", "' ', CONTINUOUS", "'once ', ONCE", "OFF, OFF" })
	void aModeOfTheEnvironmentIsTheOneThatIsBound(String written, RelayMode mode) {
		assertMode(with(
				new SystemEnvironmentPropertySource("test-systemEnvironment", Map.of("OUTBOX_RELAY_MODE", written))),
				mode);
	}

	@ParameterizedTest
	@CsvSource({ "'', false", "${NOWHERE:}, false", "3, true", "'3 ', true", "${NOWHERE:3}, true" })
	void thereIsAPoolIfASizeIsBound(String written, boolean pool) {
		Environment environment = with("outbox.relay.pool-size", written);
		assertThat(Switch.RELAY_POOL.isOn(environment)).isEqualTo(pool);
		assertThat(bound(environment).relay().poolSize() != null).isEqualTo(pool);
	}

	@Test
	void aPoolSizeThatYamlLeavesOutIsNone() throws IOException {
		Environment environment = with(read(new YamlPropertySourceLoader(), "outbox: {relay: {pool-size: }}"));
		assertThat(Switch.RELAY_POOL.isOn(environment)).isFalse();
	}

	@ParameterizedTest
	@CsvSource({ "OUTBOX, outbox.enabled", "ARCHIVE, outbox.archive.enabled", "PAGE, outbox.monitor.enabled",
			"TERMINAL, outbox.terminal.enabled" })
	void whatIsEnabledIsWhatIsBound(Switch part, String property) {
		for (String on : new String[] { "true", "true ", " TRUE", "yes", "on ", "1", "${NOWHERE:true}" }) {
			assertThat(part.isOn(with(property, on))).as(on).isTrue();
		}
		for (String off : new String[] { "false", "false ", "No", "off", " 0", "${NOWHERE:false}" }) {
			assertThat(part.isOn(with(property, off))).as(off).isFalse();
		}
	}

	// A value that is no boolean ends the start, also one that is left out
	@ParameterizedTest
	@CsvSource({ "OUTBOX, outbox.enabled, ''", "NO_OUTBOX, outbox.enabled, ''", "OUTBOX, outbox.enabled, perhaps",
			"ARCHIVE, outbox.archive.enabled, ' '", "PAGE, outbox.monitor.enabled, ''",
			"TERMINAL, outbox.terminal.enabled, ''", "RELAY, outbox.relay.mode, onec",
			"CONTINUOUS_RELAY, outbox.relay.mode, onec", "ONE_SHOT_RELAY, outbox.relay.mode, onec",
			"TERMINAL, outbox.relay.mode, onec", "RELAY_POOL, outbox.relay.pool-size, many",
			"RELAY_POOL, outbox.relay.pool-size, ' '" })
	void aValueThatCannotBeBoundIsRefused(Switch part, String property, String written) {
		assertThatExceptionOfType(BindException.class).isThrownBy(() -> part.isOn(with(property, written)))
			.satisfies((refusal) -> assertThat(refusal.getName()).hasToString(property));
	}

	@ParameterizedTest
	@EnumSource(Switch.class)
	void nothingElseMattersWithoutTheOutbox(Switch part) {
		StandardEnvironment environment = with(new MapPropertySource("file", Map.of("outbox.enabled", "false ",
				"outbox.relay.mode", "onec", "outbox.relay.pool-size", "many", "outbox.archive.enabled", "perhaps")));
		assertThat(part.isOn(environment)).isEqualTo(part == Switch.NO_OUTBOX || part == Switch.NO_TYPES);
	}

	private static void assertMode(Environment environment, RelayMode mode) {
		assertThat(bound(environment).relay().mode()).isEqualTo(mode);
		assertThat(Switch.RELAY.isOn(environment)).isEqualTo(mode != RelayMode.OFF);
		assertThat(Switch.CONTINUOUS_RELAY.isOn(environment)).isEqualTo(mode == RelayMode.CONTINUOUS);
		assertThat(Switch.ONE_SHOT_RELAY.isOn(environment)).isEqualTo(mode == RelayMode.ONCE);
	}

	private static OutboxProperties bound(Environment environment) {
		return Binder.get(environment).bindOrCreate("outbox", OutboxProperties.class);
	}

	private static PropertySource<?> read(PropertySourceLoader loader, String content) throws IOException {
		return loader.load("file", new ByteArrayResource(content.getBytes(StandardCharsets.UTF_8))).get(0);
	}

	private static StandardEnvironment with(String property, String value) {
		return with(new MapPropertySource("file", Map.of(property, value)));
	}

	private static StandardEnvironment with(PropertySource<?> source) {
		StandardEnvironment environment = new StandardEnvironment();
		environment.getPropertySources().addFirst(source);
		return environment;
	}

}
