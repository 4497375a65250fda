/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

import io.orderedoutbox.servers.Broker;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.TestQueue;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.SpringApplicationAotProcessor;
import org.springframework.context.aot.AbstractAotProcessor.Settings;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * An application that was processed ahead of time, with all switches as they are by
 * default or the other way round, obeys the properties that are set when it starts.
 */
@Tag("slow")
@Tag("thorough")
@TestInstance(Lifecycle.PER_CLASS)
class AheadOfTimeTests {

	private static final String ORDINARY = "outbox.ordered=true";

	private static final String OTHER_WAY_ROUND = "outbox.relay.mode=off outbox.monitor.enabled=true outbox.monitor.secured=true "
			+ "outbox.archive.enabled=true outbox.relay.pool-size=3";

	private static final String NAMED = "outbox.named.billing.jdbc.initialize-schema=always "
			+ "outbox.named.billing.jdbc.table-prefix=billing_";

	private static final String TYPED = "outbox.inbox.type-packages=io.orderedoutbox.testing";

	private static final String CONSUMER = "spring.profiles.active=consumer outbox.inbox.enabled=true outbox.inbox.initialize-schema=always "
			+ TYPED;

	private final Database database = Servers.database().fresh();

	private final Map<String, URLClassLoader> built = new LinkedHashMap<>();

	@BeforeAll
	void build(@TempDir Path directory) throws Exception {
		this.built.put("ordinary", build(directory.resolve("ordinary"), ORDINARY));
		this.built.put("other", build(directory.resolve("other"), OTHER_WAY_ROUND));
		this.built.put("disabled", build(directory.resolve("disabled"), "outbox.enabled=false"));
		this.built.put("named", build(directory.resolve("named"), NAMED));
		this.built.put("shards",
				build(directory.resolve("shards"), "outbox.enabled=false spring.profiles.active=shards"));
		this.built.put("consumer", build(directory.resolve("consumer"), CONSUMER));
	}

	@AfterAll
	void close() throws IOException {
		for (URLClassLoader classPath : this.built.values()) {
			classPath.close();
		}
	}

	@ParameterizedTest
	@CsvSource({ "ordinary, outbox.ordered=true", "ordinary, outbox.relay.mode=off", "ordinary, outbox.relay.mode=once",
			"ordinary, OUTBOX.RELAY.MODE=CONTINUOUS", "ordinary, outbox.enabled=false",
			"ordinary, outbox.terminal.enabled=true", "ordinary, outbox.terminal.enabled=true outbox.relay.mode=off",
			"ordinary, outbox.archive.enabled=true outbox.relay.pool-size=3",
			"ordinary, outbox.monitor.enabled=true outbox.monitor.secured=true", "other, outbox.ordered=true",
			"ordinary, outbox.relay.mode=", "other, outbox.relay.mode= outbox.relay.pool-size=",
			"other, outbox.relay.mode=once", "other, outbox.relay.mode=off", "other, outbox.enabled=false",
			"disabled, outbox.ordered=true", "disabled, outbox.enabled=true outbox.relay.mode=off",
			"disabled, outbox.enabled=false",
			"named, outbox.named.billing.jdbc.initialize-schema=always outbox.named.billing.jdbc.table-prefix=billing_",
			"ordinary, outbox.inbox.types[order.placed]=io.orderedoutbox.testing.OrderPlaced",
			"ordinary, outbox.inbox.enabled=true outbox.inbox.initialize-schema=always",
			"disabled, outbox.enabled=false outbox.inbox.enabled=true outbox.inbox.initialize-schema=always",
			"ordinary, outbox.rabbit.shards.count=2 outbox.rabbit.shards.name=billing outbox.rabbit.exchange=shop outbox.rabbit.shards.declare=false",
			"shards, spring.profiles.active=shards outbox.enabled=false outbox.rabbit.shards.declare=false" })
	void theSameBeansAreThereAsWithoutProcessing(String build, String properties) throws Exception {
		String[] arguments = arguments(properties);
		assertThat(invoke(build, "beans", arguments)).isEqualTo(AheadOfTimeApplication.beans(arguments));
	}

	@ParameterizedTest
	@CsvSource({ "ordinary", "other", "disabled" })
	void itRelaysUnlessItIsToldNotTo(String build) throws Exception {
		try (TestQueue queue = TestQueue.forEverything()) {
			String exchange = "outbox.rabbit.exchange=" + queue.exchange();
			try (AutoCloseable application = (AutoCloseable) invoke(build, "publish",
					arguments("outbox.relay.mode=off", exchange))) {
				assertThat(application).isNotNull();
				assertThat(queue.arrivals()).isEmpty();
			}
			try (AutoCloseable application = (AutoCloseable) invoke(build, "publish", arguments(exchange))) {
				assertThat(application).isNotNull();
				queue.await(2);
			}
		}
	}

	@Test
	void anOutboxWithANameIsThere() throws Exception {
		// Its message can be routed nowhere, and would hold up the key for the other
		// tests
		Database own = Servers.database().fresh();
		try (AutoCloseable application = (AutoCloseable) invoke("named", "publish",
				arguments(NAMED, "spring.datasource.url=" + own.jdbcUrl()))) {
			assertThat(application).isNotNull();
			Awaitility.await()
				.until(() -> Thread.getAllStackTraces()
					.keySet()
					.stream()
					.anyMatch((thread) -> thread.getName().equals("outbox-billing-relay-1")));
		}
	}

	@Test
	void anInstanceThatOnlyWritesLeavesItsMessagesInTheTable() throws Exception {
		Database own = Servers.database().fresh();
		JdbcTemplate jdbc = new JdbcTemplate(
				new DriverManagerDataSource(own.jdbcUrl(), own.username(), own.password()));
		try (AutoCloseable application = (AutoCloseable) invoke("ordinary", "publish",
				arguments("outbox.relay.mode=off", "spring.datasource.url=" + own.jdbcUrl()))) {
			assertThat(application).isNotNull();
			Awaitility.await()
				.until(() -> Thread.getAllStackTraces()
					.keySet()
					.stream()
					.noneMatch((thread) -> thread.getName().startsWith("outbox-relay")));
			assertThat(jdbc.queryForObject("SELECT COUNT(*) FROM outbox_message", Integer.class)).isOne();
		}
	}

	@Test
	void theTypesOfAPackageAreKnownWhereNoPackageCanBeSearched() throws Exception {
		try (TestQueue queue = TestQueue.forEverything()) {
			String[] arguments = arguments(CONSUMER, "consumer.queue=" + queue.exchange());
			assertThat(invoke("consumer", "beans", arguments)).asInstanceOf(InstanceOfAssertFactories.COLLECTION)
				.contains("orderedInboxMessageConverter");
		}
		assertThatExceptionOfType(InvocationTargetException.class)
			.isThrownBy(() -> invoke("ordinary", "beans", arguments(TYPED)))
			.withStackTraceContaining("The package 'io.orderedoutbox.testing' of outbox.inbox.type-packages");
	}

	@Test
	void aListenerGetsItsTypeAndProcessesItOnce() throws Exception {
		Database own = Servers.database().fresh();
		JdbcTemplate jdbc = new JdbcTemplate(
				new DriverManagerDataSource(own.jdbcUrl(), own.username(), own.password()));
		try (TestQueue queue = TestQueue.forEverything()) {
			// Its own consumer would take what the listener is to get
			String mine = queue.exchange() + "-consumer";
			queue.channel().queueDeclare(mine, true, false, true, Map.of());
			queue.channel().queueBind(mine, queue.exchange(), "#");
			try (AutoCloseable application = (AutoCloseable) invoke("consumer", "publish",
					arguments(CONSUMER, "consumer.queue=" + mine, "outbox.rabbit.exchange=" + queue.exchange(),
							"spring.datasource.url=" + own.jdbcUrl()))) {
				assertThat(application).isNotNull();
				Awaitility.await()
					.until(() -> jdbc.queryForObject("SELECT COUNT(*) FROM inbox_message", Integer.class) == 1);
			}
		}
	}

	@ParameterizedTest
	@CsvSource({ "ordinary", "other", "disabled" })
	void withoutTheOutboxTheApplicationWorks(String build) throws Exception {
		assertThat(invoke(build, "withoutOutbox", arguments("outbox.enabled=false"))).isEqualTo(7);
	}

	private String[] arguments(String... properties) {
		Broker broker = Servers.broker();
		List<String> all = new ArrayList<>(List.of("spring.main.banner-mode=off", "spring.jmx.enabled=false",
				"spring.main.web-application-type=servlet", "server.port=0",
				"spring.autoconfigure.exclude=" + OutboxApplication.JPA, "management.endpoints.web.exposure.include=*",
				"spring.datasource.url=" + this.database.jdbcUrl(),
				"spring.datasource.username=" + this.database.username(),
				"spring.datasource.password=" + this.database.password(), "outbox.jdbc.initialize-schema=always",
				"outbox.ordered=true", "spring.rabbitmq.host=" + broker.host(), "spring.rabbitmq.port=" + broker.port(),
				"spring.rabbitmq.username=" + broker.username(), "spring.rabbitmq.password=" + broker.password()));
		for (String property : String.join(" ", properties).split(" ")) {
			all.removeIf((other) -> other.startsWith(property.substring(0, property.indexOf('=') + 1)));
			all.add(property);
		}
		return all.stream().map((property) -> "--" + property).toArray(String[]::new);
	}

	private Object invoke(String build, String method, String... arguments) throws Exception {
		URLClassLoader classPath = this.built.get(build);
		Thread thread = Thread.currentThread();
		ClassLoader before = thread.getContextClassLoader();
		thread.setContextClassLoader(classPath);
		try {
			return classPath.loadClass(AheadOfTimeApplication.class.getName())
				.getMethod(method, String[].class)
				.invoke(null, (Object) arguments);
		}
		finally {
			thread.setContextClassLoader(before);
		}
	}

	private URLClassLoader build(Path directory, String properties) throws Exception {
		Path sources = directory.resolve("sources");
		Path classes = directory.resolve("classes");
		new SpringApplicationAotProcessor(AheadOfTimeApplication.class,
				Settings.builder()
					.sourceOutput(sources)
					.resourceOutput(classes)
					.classOutput(classes)
					.groupId("test")
					.artifactId("test")
					.build(),
				arguments(properties))
			.process();
		compile(sources, classes);
		Files.writeString(classes.resolve("spring.properties"), "spring.aot.enabled=true");
		List<URL> urls = new ArrayList<>(List.of(classes.toUri().toURL()));
		for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
			urls.add(Path.of(entry).toUri().toURL());
		}
		return new ImageClassLoader(urls.toArray(URL[]::new));
	}

	private static void compile(Path sources, Path classes) throws IOException {
		JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
		StringWriter messages = new StringWriter();
		try (Stream<Path> files = Files.walk(sources);
				StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
			List<Path> java = files.filter((file) -> file.toString().endsWith(".java")).toList();
			boolean compiles = compiler
				.getTask(messages, manager, null,
						List.of("-proc:none", "-nowarn", "-parameters", "-d", classes.toString(), "-cp",
								classes + File.pathSeparator + System.getProperty("java.class.path")),
						null, manager.getJavaFileObjectsFromPaths(java))
				.call();
			assertThat(compiles).as(messages.toString()).isTrue();
		}
	}

	/**
	 * Has no packages to search, like a native image.
	 */
	private static final class ImageClassLoader extends URLClassLoader {

		ImageClassLoader(URL[] urls) {
			super(urls, ClassLoader.getPlatformClassLoader());
		}

		@Override
		public Enumeration<URL> findResources(String name) throws IOException {
			return name.endsWith("/") ? Collections.emptyEnumeration() : super.findResources(name);
		}

	}

}
