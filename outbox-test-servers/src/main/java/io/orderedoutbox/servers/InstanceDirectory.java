/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The files of one running MariaDB. A JVM holds a lock in there for as long as it lives,
 * so another one can tell a directory that is in use from one whose JVM was killed.
 */
final class InstanceDirectory implements AutoCloseable {

	// Opening and closing a lock file a second time would give up the JVM's own lock on
	// it: directories of this JVM must never be probed.
	private static final Set<Path> OWN = ConcurrentHashMap.newKeySet();

	private final Path path;

	private final FileChannel lock;

	private InstanceDirectory(Path path, FileChannel lock) {
		this.path = path;
		this.lock = lock;
	}

	static InstanceDirectory create(Path parent) throws IOException {
		Path path = Files.createTempDirectory(parent, "");
		OWN.add(path);
		FileChannel lock = openLock(path);
		lock.lock();
		Files.createDirectory(path.resolve("tmp"));
		return new InstanceDirectory(path, lock);
	}

	Path data() {
		return this.path.resolve("data");
	}

	Path temporary() {
		return this.path.resolve("tmp");
	}

	Path socket() {
		return this.path.resolve("socket");
	}

	Path pidFile() {
		return pidFile(this.path);
	}

	void killServer() {
		try {
			endServer(this.path);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("'" + pidFile() + "' could not be read", ex);
		}
	}

	static void removeIfAbandoned(Path path) throws IOException {
		if (OWN.contains(path) || !Files.isDirectory(path)) {
			return;
		}
		try (FileChannel lock = openLock(path)) {
			if (lock.tryLock() != null) {
				endServer(path);
				DirectoryTree.delete(path);
			}
		}
	}

	private static FileChannel openLock(Path path) throws IOException {
		return FileChannel.open(path.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
	}

	private static Path pidFile(Path path) {
		return path.resolve("server.pid");
	}

	// A killed JVM leaves its server running. The number in the file may belong to
	// another process by now: only one that names this very directory is ended.
	private static void endServer(Path path) throws IOException {
		if (!Files.exists(pidFile(path))) {
			return;
		}
		long pid = Long.parseLong(Files.readString(pidFile(path)).trim());
		ProcessHandle.of(pid).filter((process) -> serves(process, path)).ifPresent((process) -> {
			process.destroyForcibly();
			process.onExit().completeOnTimeout(process, 10, TimeUnit.SECONDS).join();
		});
	}

	private static boolean serves(ProcessHandle process, Path path) {
		String option = "--pid-file=" + pidFile(path);
		return process.info().arguments().map(Arrays::asList).filter((given) -> given.contains(option)).isPresent();
	}

	@Override
	public void close() {
		try {
			DirectoryTree.delete(this.path);
			this.lock.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException("'" + this.path + "' could not be removed: remove it by hand", ex);
		}
		finally {
			OWN.remove(this.path);
		}
	}

}
