/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.diagnostics;

import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.testing.DamagedClassLoader;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Metadata of properties that cannot be read end the start, and the report says so.
 */
@Tag("unit")
class KnownPropertiesTests {

	@Test
	void aDamagedClassPathIsNamed() {
		assertThatExceptionOfType(OutboxConfigurationException.class)
			.isThrownBy(() -> KnownProperties.read("outbox", new DamagedClassLoader()))
			.withMessageContaining("metadata of configuration properties cannot be read: bad header")
			.withMessageContaining("damaged jar file");
	}

}
