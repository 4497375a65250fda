/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.servers;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/**
 * The directory in which MariaDB lies between two runs. While it is open no other thread
 * and no other JVM has it open: two of them unpacking the same files would trip over each
 * other.
 */
final class MariaDbCache implements AutoCloseable {

	// A file lock belongs to the JVM, so threads need one of their own.
	private static final ReentrantLock THREADS = new ReentrantLock();

	private final Path root;

	private final FileChannel jvms;

	private MariaDbCache(Path root, FileChannel jvms) {
		this.root = root;
		this.jvms = jvms;
	}

	static MariaDbCache open() throws IOException {
		String caches = System.getenv("XDG_CACHE_HOME");
		Path parent = (caches != null && !caches.isBlank()) ? Path.of(caches)
				: Path.of(System.getProperty("user.home"), ".cache");
		return open(parent.resolve("ordered-outbox").resolve("mariadb"));
	}

	static MariaDbCache open(Path root) throws IOException {
		THREADS.lock();
		try {
			Files.createDirectories(root);
			FileChannel jvms = FileChannel.open(root.resolve("lock"), StandardOpenOption.CREATE,
					StandardOpenOption.WRITE);
			jvms.lock();
			return new MariaDbCache(root, jvms);
		}
		catch (IOException | RuntimeException ex) {
			THREADS.unlock();
			throw ex;
		}
	}

	Path binaries(String version) {
		return this.root.resolve("binaries-" + version);
	}

	/**
	 * Makes a directory for one more server, and removes those whose JVM died without
	 * doing so.
	 */
	InstanceDirectory newInstance() throws IOException {
		Path instances = Files.createDirectories(this.root.resolve("instances"));
		List<Path> present;
		try (Stream<Path> entries = Files.list(instances)) {
			present = entries.toList();
		}
		for (Path directory : present) {
			InstanceDirectory.removeIfAbandoned(directory);
		}
		return InstanceDirectory.create(instances);
	}

	@Override
	public void close() throws IOException {
		try {
			this.jvms.close();
		}
		finally {
			THREADS.unlock();
		}
	}

}
