/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("unit")
class InstanceDirectoryTests {

	@TempDir
	Path root;

	@Test
	void aDirectoryInUseStays() throws IOException {
		try (InstanceDirectory inUse = newInstance(); InstanceDirectory other = newInstance()) {
			assertThat(inUse.temporary()).exists();
			assertThat(other.temporary()).exists();
		}
	}

	@Test
	void closingRemovesEverything() throws IOException {
		InstanceDirectory directory = newInstance();
		Files.writeString(Files.createDirectory(directory.data()).resolve("table"), "rows");
		directory.close();
		assertThat(this.root.resolve("instances")).isEmptyDirectory();
	}

	@Test
	void theDirectoryOfADeadJvmIsRemoved() throws IOException {
		Path abandoned = abandoned();
		newInstance().close();
		assertThat(abandoned).doesNotExist();
	}

	@Test
	@EnabledOnOs({ OS.LINUX, OS.MAC })
	void theServerOfADeadJvmIsEnded() throws Exception {
		Path abandoned = abandoned();
		Process orphan = process("--pid-file=" + abandoned.resolve("server.pid"));
		Files.writeString(abandoned.resolve("server.pid"), orphan.pid() + "\n");
		newInstance().close();
		assertThat(orphan.waitFor(5, TimeUnit.SECONDS)).isTrue();
		assertThat(abandoned).doesNotExist();
	}

	@Test
	@EnabledOnOs({ OS.LINUX, OS.MAC })
	void aStrangerThatGotTheProcessIdIsLeftAlone() throws Exception {
		Path abandoned = abandoned();
		Process stranger = process("--something-else");
		Files.writeString(abandoned.resolve("server.pid"), stranger.pid() + "\n");
		newInstance().close();
		assertThat(stranger.isAlive()).isTrue();
		stranger.destroy();
	}

	private InstanceDirectory newInstance() throws IOException {
		try (MariaDbCache cache = MariaDbCache.open(this.root)) {
			return cache.newInstance();
		}
	}

	private Path abandoned() throws IOException {
		Path directory = Files.createDirectories(this.root.resolve("instances").resolve("abandoned"));
		Files.createFile(directory.resolve("lock"));
		return directory;
	}

	// Waits for a line that never comes, with the argument in its command line.
	private static Process process(String argument) throws IOException {
		return new ProcessBuilder("sh", "-c", "read line", argument).start();
	}

}
