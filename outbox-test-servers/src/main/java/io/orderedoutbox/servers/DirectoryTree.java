/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.servers;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

import org.jspecify.annotations.Nullable;

/**
 * Removes a directory with everything in it. What is gone already is fine: a server that
 * is going down removes files of its own.
 */
final class DirectoryTree extends SimpleFileVisitor<Path> {

	private DirectoryTree() {
	}

	static void delete(Path root) throws IOException {
		if (Files.exists(root)) {
			Files.walkFileTree(root, new DirectoryTree());
		}
	}

	@Override
	public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
		Files.deleteIfExists(file);
		return FileVisitResult.CONTINUE;
	}

	@Override
	public FileVisitResult visitFileFailed(Path file, IOException failure) {
		return FileVisitResult.CONTINUE;
	}

	@Override
	public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure) throws IOException {
		Files.deleteIfExists(directory);
		return FileVisitResult.CONTINUE;
	}

}
