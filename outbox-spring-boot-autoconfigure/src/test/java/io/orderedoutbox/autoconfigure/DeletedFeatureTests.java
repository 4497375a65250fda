/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Driver;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;
import org.springframework.util.FileSystemUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A feature goes with its package, its wiring, and the lines that name classes of both in
 * the lists that Spring Boot reads. What else would miss it, {@code ArchitectureTests}
 * find.
 */
@Tag("slow")
@Tag("thorough")
class DeletedFeatureTests {

	private static final String NO_JPA = "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration,"
			+ "org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration";

	@TempDir
	private Path directory;

	@ParameterizedTest
	@ValueSource(strings = { "monitor.console", "once", "terminal" })
	void anApplicationPublishesWithoutIt(String feature) throws Exception {
		String url = "jdbc:h2:file:" + this.directory.resolve("shop");
		// Before the application: otherwise the JVM looks for drivers on its class path
		Driver driver = DriverManager.getDriver(url);
		try (URLClassLoader classPath = without("io/orderedoutbox/" + feature.replace('.', '/') + "/")) {
			SmallApplication.startOn(classPath,
					List.of("--spring.main.banner-mode=off", "--spring.jmx.enabled=false",
							"--spring.autoconfigure.exclude=" + NO_JPA, "--spring.datasource.url=" + url,
							"--outbox.jdbc.initialize-schema=always", "--outbox.relay.mode=off"))
				.close();
		}
		assertThat(new JdbcTemplate(new SimpleDriverDataSource(driver, url))
			.queryForList("SELECT name FROM outbox_message", String.class)).containsExactly("order.placed");
	}

	private URLClassLoader without(String feature) throws Exception {
		Path classes = Path
			.of(OutboxAutoConfiguration.class.getProtectionDomain().getCodeSource().getLocation().toURI());
		Path copy = this.directory.resolve("classes");
		FileSystemUtils.copyRecursively(classes, copy);
		delete(feature, copy);
		List<URL> urls = new ArrayList<>();
		for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
			Path path = Path.of(entry);
			urls.add((path.equals(classes) ? copy : path).toUri().toURL());
		}
		return new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
	}

	private static void delete(String feature, Path classes) throws IOException {
		List<Path> wiring = filesOf(classes, "AutoConfiguration.class").filter((file) -> contains(file, feature))
			.toList();
		assertThat(wiring).isNotEmpty();
		for (Path file : wiring) {
			Files.delete(file);
		}
		assertThat(FileSystemUtils.deleteRecursively(classes.resolve(feature))).isTrue();
		List<Path> lists = Stream.of(".imports", ".factories").flatMap((name) -> filesOf(classes, name)).toList();
		for (Path list : lists) {
			Files.write(list,
					Files.readAllLines(list).stream().filter((line) -> !namesWhatIsGone(line, classes)).toList());
		}
	}

	private static Stream<Path> filesOf(Path classes, String ending) {
		try (Stream<Path> files = Files.walk(classes)) {
			return files.filter((file) -> file.toString().endsWith(ending)).toList().stream();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static boolean contains(Path file, String text) {
		try {
			return Files.readString(file, StandardCharsets.ISO_8859_1).contains(text);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static boolean namesWhatIsGone(String line, Path classes) {
		String name = line.replaceAll("[,\\\\]", "").strip();
		return name.startsWith("io.orderedoutbox.")
				&& !Files.exists(classes.resolve(name.replace('.', '/') + ".class"));
	}

}
