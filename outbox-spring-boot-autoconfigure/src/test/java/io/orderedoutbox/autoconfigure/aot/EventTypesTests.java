/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.aot;

import java.io.IOException;
import java.io.InputStream;

import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.testing.DamagedClassLoader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.aot.AotDetector;
import org.springframework.core.SpringProperties;
import org.springframework.core.io.AbstractResource;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.core.io.Resource;
import org.springframework.core.io.ResourceLoader;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Event types that cannot be read end the start or the build, and the report says so.
 */
@Tag("unit")
class EventTypesTests {

	@AfterEach
	void forget() {
		SpringProperties.setProperty(AotDetector.AOT_ENABLED, null);
	}

	@Test
	void aDamagedListIsNamed() {
		SpringProperties.setFlag(AotDetector.AOT_ENABLED);
		assertThatExceptionOfType(OutboxConfigurationException.class)
			.isThrownBy(() -> new EventTypes(new DamagedResources()).named("shop"))
			.withMessageContaining(
					"event types in the list of META-INF/ordered-outbox/types/shop cannot be read: bad header")
			.withMessageContaining("damaged jar file");
	}

	@Test
	void aPackageThatCannotBeSearchedIsNamed() {
		assertThatExceptionOfType(OutboxConfigurationException.class)
			.isThrownBy(() -> new EventTypes(new DamagedResources()).annotated("shop"))
			.withMessageContaining("package 'shop' cannot be searched for event types: bad header")
			.withMessageContaining("damaged jar file");
	}

	private static final class DamagedResources extends DefaultResourceLoader {

		DamagedResources() {
			super(new DamagedClassLoader());
		}

		@Override
		public Resource getResource(String location) {
			return location.startsWith(ResourceLoader.CLASSPATH_URL_PREFIX)
					? new DamagedList(location.substring(ResourceLoader.CLASSPATH_URL_PREFIX.length()))
					: super.getResource(location);
		}

	}

	private static final class DamagedList extends AbstractResource {

		private final String path;

		DamagedList(String path) {
			this.path = path;
		}

		@Override
		public boolean exists() {
			return true;
		}

		@Override
		public String getDescription() {
			return "the list of " + this.path;
		}

		@Override
		public InputStream getInputStream() throws IOException {
			throw new IOException("bad header");
		}

	}

}
