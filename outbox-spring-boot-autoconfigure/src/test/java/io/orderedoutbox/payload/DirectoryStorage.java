/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.payload;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

import org.jspecify.annotations.Nullable;

/**
 * Keeps payloads in a directory: the example of docs/payloads.md.
 */
public final class DirectoryStorage implements PayloadStorage {

	private final Path directory;

	public DirectoryStorage(Path directory) {
		this.directory = directory;
	}

	@Override
	public void put(String key, byte[] payload) {
		try {
			Files.write(this.directory.resolve(key), payload, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE,
					StandardOpenOption.SYNC);
		}
		catch (IOException ex) {
			throw new PayloadUnavailableException("The directory takes no file: " + ex, ex);
		}
	}

	@Override
	public byte @Nullable [] get(String key) {
		try {
			return Files.readAllBytes(this.directory.resolve(key));
		}
		catch (NoSuchFileException ex) {
			return null;
		}
		catch (IOException ex) {
			throw new PayloadUnavailableException("The directory cannot be read: " + ex, ex);
		}
	}

	@Override
	public void delete(String key) {
		try {
			Files.deleteIfExists(this.directory.resolve(key));
		}
		catch (IOException ex) {
			throw new PayloadUnavailableException("The file cannot be deleted: " + ex, ex);
		}
	}

}
