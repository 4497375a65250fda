/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.servers;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import org.apache.qpid.server.SystemLauncher;
import org.apache.qpid.server.SystemLauncherListener.DefaultSystemLauncherListener;
import org.apache.qpid.server.model.Broker;
import org.apache.qpid.server.model.BrokerImpl;
import org.apache.qpid.server.model.Port;
import org.apache.qpid.server.model.SystemConfig;
import org.jspecify.annotations.Nullable;

/**
 * Brings Qpid up in a directory and down again.
 */
final class QpidLauncher {

	private final Path directory;

	private final StartupListener listener = new StartupListener();

	private final SystemLauncher launcher = new SystemLauncher(this.listener);

	QpidLauncher(Path directory) {
		this.directory = directory;
	}

	/**
	 * Starts the broker.
	 * @param port the port to listen on, or 0 for a free one
	 * @return the port it listens on
	 */
	int start(int port) throws Exception {
		this.launcher.startup(Map.of(SystemConfig.TYPE, "Memory", //
				SystemConfig.INITIAL_CONFIGURATION_LOCATION, copy("qpid.json"), //
				SystemConfig.INITIAL_SYSTEM_PROPERTIES_LOCATION, copy("qpid.properties"), //
				SystemConfig.STARTUP_LOGGED_TO_SYSTEM_OUT, "false", //
				SystemConfig.CONTEXT, Map.of(SystemConfig.QPID_WORK_DIR, this.directory.toString(), //
						"outbox.port", Integer.toString(port))));
		Broker<?> broker = this.listener.broker();
		removeShutdownHook(broker);
		return broker.getChildren(Port.class).iterator().next().getBoundPort();
	}

	void stop() {
		this.launcher.shutdown();
	}

	// Qpid cannot read classpath: locations inside an executable jar.
	private String copy(String resource) throws IOException {
		Path file = this.directory.resolve(resource);
		try (InputStream content = QpidLauncher.class.getResourceAsStream(resource)) {
			if (content == null) {
				throw new IOException("'" + resource + "' is missing beside " + QpidLauncher.class.getName());
			}
			Files.copy(content, file);
		}
		return file.toUri().toString();
	}

	// Qpid would stop while the application that needs it is still closing, and there is
	// no switch for that.
	private static void removeShutdownHook(Broker<?> broker) throws ReflectiveOperationException {
		Field hook = BrokerImpl.class.getDeclaredField("_shutdownHook");
		hook.setAccessible(true);
		Runtime.getRuntime().removeShutdownHook((Thread) hook.get(broker));
	}

	private static final class StartupListener extends DefaultSystemLauncherListener {

		private @Nullable SystemConfig<?> system;

		@Override
		public void onContainerResolve(SystemConfig<?> system) {
			this.system = system;
		}

		// Without this the launcher swallows the failure.
		@Override
		public void errorOnStartup(RuntimeException failure) {
			throw failure;
		}

		Broker<?> broker() {
			if (this.system == null) {
				throw new IllegalStateException("Qpid started without a broker");
			}
			return (Broker<?>) this.system.getContainer();
		}

	}

}
