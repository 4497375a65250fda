package io.orderedoutbox.servers;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.net.InetAddress;
import java.net.ServerSocket;
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
 * A Qpid broker in this JVM that keeps its messages in memory. It speaks AMQP 0-9-1 much
 * as RabbitMQ does: it takes RabbitMQ's declare arguments, but ignores most of them.
 */
public final class EmbeddedQpid implements AutoCloseable {

	private static final String USERNAME = "outbox";

	private final SystemLauncher launcher;

	private final Path directory;

	private final int port;

	private boolean closed;

	private EmbeddedQpid(SystemLauncher launcher, Path directory, int port) {
		this.launcher = launcher;
		this.directory = directory;
		this.port = port;
	}

	/**
	 * Starts a broker on a free port of the loopback interface.
	 * @return the running broker
	 */
	public static EmbeddedQpid start() {
		return start(0);
	}

	/**
	 * Starts a broker on a given port: how a stopped one comes back where its clients
	 * look for it, without its messages, queues and exchanges.
	 * @param port the port, or 0 for a free one
	 * @return the running broker
	 */
	public static EmbeddedQpid start(int port) {
		requireFree(port);
		try {
			return start(port, Files.createTempDirectory("outbox-qpid-"));
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The embedded Qpid cannot use the temporary directory", ex);
		}
	}

	// Qpid finds out as well, but says so in two stack traces on the console.
	private static void requireFree(int port) {
		try {
			new ServerSocket(port, 1, InetAddress.getLoopbackAddress()).close();
		}
		catch (IOException ex) {
			throw new IllegalStateException(
					"The embedded Qpid cannot have port " + port + ": stop what listens there or take another port",
					ex);
		}
	}

	private static EmbeddedQpid start(int port, Path directory) throws IOException {
		StartupListener listener = new StartupListener();
		SystemLauncher launcher = new SystemLauncher(listener);
		try {
			launcher.startup(Map.of(SystemConfig.TYPE, "Memory", //
					SystemConfig.INITIAL_CONFIGURATION_LOCATION, copy("qpid.json", directory), //
					SystemConfig.INITIAL_SYSTEM_PROPERTIES_LOCATION, copy("qpid.properties", directory),
					SystemConfig.STARTUP_LOGGED_TO_SYSTEM_OUT, "false", //
					SystemConfig.CONTEXT, Map.of(SystemConfig.QPID_WORK_DIR, directory.toString(), //
							"outbox.port", Integer.toString(port))));
			Broker<?> broker = listener.broker();
			removeShutdownHook(broker);
			int boundPort = broker.getChildren(Port.class).iterator().next().getBoundPort();
			EmbeddedQpid started = new EmbeddedQpid(launcher, directory, boundPort);
			ExitActions.add(started::close);
			return started;
		}
		catch (Exception ex) {
			launcher.shutdown();
			DirectoryTree.delete(directory);
			throw new IllegalStateException(
					"The embedded Qpid did not start: give a broker in OUTBOX_RABBITMQ_HOST instead, or start Docker",
					ex);
		}
	}

	// Qpid would stop while the application that needs it is still closing, and there is
	// no
	// switch for that.
	private static void removeShutdownHook(Broker<?> broker) throws ReflectiveOperationException {
		Field hook = BrokerImpl.class.getDeclaredField("_shutdownHook");
		hook.setAccessible(true);
		Runtime.getRuntime().removeShutdownHook((Thread) hook.get(broker));
	}

	// Qpid cannot read classpath: locations inside an executable jar.
	private static String copy(String resource, Path directory) throws IOException {
		Path file = directory.resolve(resource);
		try (InputStream content = EmbeddedQpid.class.getResourceAsStream(resource)) {
			if (content == null) {
				throw new IOException("'" + resource + "' is missing beside " + EmbeddedQpid.class.getName());
			}
			Files.copy(content, file);
		}
		return file.toUri().toString();
	}

	/**
	 * Returns the host.
	 * @return the loopback address
	 */
	public String host() {
		return "127.0.0.1";
	}

	/**
	 * Returns the port.
	 * @return the AMQP port
	 */
	public int port() {
		return this.port;
	}

	/**
	 * Returns the only user.
	 * @return the user name
	 */
	public String username() {
		return USERNAME;
	}

	/**
	 * Returns the user's password.
	 * @return the password
	 */
	public String password() {
		return USERNAME;
	}

	/**
	 * Stops the broker. Happens by itself when the JVM ends.
	 */
	@Override
	public synchronized void close() {
		if (this.closed) {
			return;
		}
		this.closed = true;
		this.launcher.shutdown();
		try {
			DirectoryTree.delete(this.directory);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("'" + this.directory + "' could not be removed: remove it by hand", ex);
		}
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
