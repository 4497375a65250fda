/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.diagnostics;

import java.io.IOException;
import java.net.URL;
import java.util.Enumeration;

import io.orderedoutbox.OutboxConfigurationException;
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

	private static final class DamagedClassLoader extends ClassLoader {

		@Override
		public Enumeration<URL> getResources(String name) throws IOException {
			throw new IOException("bad header");
		}

	}

}
