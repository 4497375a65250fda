/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;

/**
 * Says by a file that the application has started.
 */
final class ReadyFile implements ApplicationListener<ApplicationReadyEvent> {

	private final Path file;

	ReadyFile(@Value("${chaos.ready-file}") Path file) {
		this.file = file;
	}

	@Override
	public void onApplicationEvent(ApplicationReadyEvent event) {
		try {
			Files.createFile(this.file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
