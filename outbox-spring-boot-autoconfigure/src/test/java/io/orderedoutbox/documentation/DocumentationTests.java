/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.documentation;

import java.io.IOException;
import java.io.StringReader;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import javax.sql.DataSource;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;

import io.orderedoutbox.autoconfigure.OutboxProperties;
import io.orderedoutbox.documentation.Documents.Block;
import io.orderedoutbox.documentation.Metadata.Property;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OutboxApplication;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.env.PropertiesPropertySourceLoader;
import org.springframework.boot.env.PropertySourceLoader;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.context.annotation.Import;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every snippet of the documentation compiles, binds or runs, every property in it
 * exists, and every link leads somewhere.
 */
class DocumentationTests {

	private static final Metadata METADATA = Metadata.read();

	// Has names that do not exist, and tells so
	private static final Path MISTAKES = Documents.root().resolve("docs/mistakes.md");

	private static final Pattern PAGE = Pattern.compile("\\b(docs/[a-z0-9/-]+\\.md)(?:#([\\w-]+))?");

	// What Actuator knows of the outbox is a property of the outbox, too
	private static final String OURS = "(?:(?:management\\.(?:health|endpoint)\\.(?:ordered)?)?outbox|management\\.(?:health|endpoint)\\.(?:ordered)?inbox)\\.";

	// Commands that nobody could run in a test of their own: CI runs each of them
	private static final Set<String> COMMANDS = Set.of("## Run the sample", "## Run the tests");

	@TempDir
	Path directory;

	// The document about tests is compiled by the module that it is about
	static List<String> documentsWithJava() {
		return Documents.blocks("java")
			.stream()
			.map(Block::document)
			.filter((document) -> !document.equals("testing.md"))
			.distinct()
			.toList();
	}

	@ParameterizedTest
	@MethodSource("documentsWithJava")
	void javaCompiles(String document) throws IOException {
		assertThat(Snippets.of(document).compile(this.directory)).as(document).isEmpty();
	}

	@Test
	void fewSnippetsAreNotCompiled() {
		assertThat(Documents.blocks("java").stream().filter((block) -> !block.reasonNotToCompile().isEmpty()))
			.hasSizeLessThanOrEqualTo(3);
	}

	// The module of Kotlin compiles its sources, and its tests use what is in them
	@Test
	void kotlinIsAmongTheSourcesOfItsTests() throws IOException {
		String events = Files.readString(
				Documents.root().resolve("outbox-kotlin-tests/src/test/kotlin/io/orderedoutbox/kotlin/Events.kt"));
		assertThat(Documents.blocks("kotlin")).isNotEmpty()
			.allSatisfy((block) -> assertThat(events).as("%s", block).contains(block.content()));
	}

	static Stream<Block> yaml() {
		return Stream.of("yaml", "yml", "properties").flatMap((language) -> Documents.blocks(language).stream());
	}

	@ParameterizedTest
	@MethodSource("yaml")
	void yamlBindsToPropertiesThatExist(Block block) throws IOException {
		PropertySourceLoader loader = block.is("properties") ? new PropertiesPropertySourceLoader()
				: new YamlPropertySourceLoader();
		List<PropertySource<?>> sources = loader.load(block.toString(),
				new ByteArrayResource(block.content().getBytes(StandardCharsets.UTF_8)));
		assertThat(sources).isNotEmpty();
		for (PropertySource<?> source : sources) {
			for (String written : ((EnumerablePropertySource<?>) source).getPropertyNames()) {
				String name = ofAnyOutbox(written);
				if (Pattern.compile(OURS).matcher(name).lookingAt()) {
					assertThat(METADATA.properties().containsKey(name.replaceFirst("\\[.*", "")))
						.as("%s: there is a property %s", block, name)
						.isTrue();
				}
			}
		}
		new Binder(ConfigurationPropertySources.from(sources)).bindOrCreate("outbox", OutboxProperties.class);
	}

	// An outbox with a name has the properties of the one without, and a few more
	private static String ofAnyOutbox(String written) {
		Matcher named = Pattern.compile("outbox\\.named\\.[a-z-]+\\.(.+)").matcher(written);
		return (named.matches()
				&& !Set.of("data-source", "routing-data-source", "connection-factory").contains(named.group(1)))
						? "outbox." + named.group(1) : written.replaceFirst("(outbox\\.named)\\..*", "$1");
	}

	@Test
	void sqlRuns() {
		try (OutboxApplication application = OutboxApplication.on(Servers.database().fresh())
			.withoutRelay()
			.with("outbox.inbox.enabled", true)
			.with("outbox.inbox.initialize-schema", "always")
			.start()) {
			List<Block> blocks = Documents.blocks("sql");
			assertThat(blocks).isNotEmpty();
			DataSource dataSource = application.bean(DataSource.class);
			// Those that need the tables of another library, or another database, are run
			// where these are
			blocks.stream()
				.filter((block) -> !MigrationPages.isRunInItsPlaceOnly(block))
				.forEach((block) -> block.run(dataSource));
		}
	}

	static List<Block> xml() {
		return Documents.blocks("xml");
	}

	// A block may be a part of a file with more than one element
	@ParameterizedTest
	@MethodSource("xml")
	void xmlIsWellFormedAndDependenciesExist(Block block) throws IOException, ParserConfigurationException {
		Element root = parse(block);
		NodeList groups = root.getElementsByTagName("groupId");
		for (int i = 0; i < groups.getLength(); i++) {
			Element dependency = (Element) groups.item(i).getParentNode();
			if (groups.item(i).getTextContent().equals("io.orderedoutbox")) {
				String module = text(dependency, "artifactId");
				assertThat(Documents.root().resolve(module).resolve("pom.xml")).as("%s: %s", block, module).exists();
				assertThat(text(dependency, "version")).as("%s: version of %s", block, module).isIn("", version());
			}
		}
	}

	private static Element parse(Block block) throws IOException, ParserConfigurationException {
		String text = "<block>%s</block>".formatted(block.content().replaceFirst("^<\\?xml.*?\\?>", ""));
		try {
			return DocumentBuilderFactory.newInstance()
				.newDocumentBuilder()
				.parse(new InputSource(new StringReader(text)))
				.getDocumentElement();
		}
		catch (SAXException ex) {
			throw new AssertionError(block + ": " + ex.getMessage(), ex);
		}
	}

	private static String text(Element parent, String name) {
		NodeList elements = parent.getElementsByTagName(name);
		return (elements.getLength() > 0) ? elements.item(0).getTextContent() : "";
	}

	private static String version() {
		Matcher version = Pattern.compile("<artifactId>outbox-parent</artifactId>\\s*<version>(.*?)</version>")
			.matcher(Documents.text(Documents.root().resolve("pom.xml")));
		assertThat(version.find()).isTrue();
		return version.group(1);
	}

	@Test
	void theStarterIsToBeAdded() {
		assertThat(xml())
			.anyMatch((block) -> block.content().contains("<artifactId>outbox-spring-boot-starter</artifactId>"));
	}

	@Test
	void theReadmeStaysShort() {
		assertThat(Documents.text(Documents.root().resolve("README.md")).lines()).hasSizeLessThan(120);
	}

	@Test
	void commandsOfTheReadmeAreRunByCi() throws IOException {
		String ci = Files.readString(Documents.root().resolve(".ci/run"));
		List<Block> commands = Documents.blocks("shell")
			.stream()
			.filter((block) -> block.document().equals("README.md"))
			.toList();
		assertThat(commands).extracting(Block::heading).containsExactlyInAnyOrderElementsOf(COMMANDS);
		assertThat(commands).allSatisfy((block) -> assertThat(block.content().strip().lines()).hasSize(1));
		assertThat(COMMANDS).allSatisfy((heading) -> assertThat(ci).contains("readme_command \"" + heading + "\""));
	}

	@Test
	void propertiesOfTheReadmeExistWithTheirDefaults() {
		Matcher rows = Pattern.compile("(?m)^\\| `(outbox\\.[^`]+)` \\|([^|]*)\\|")
			.matcher(Documents.text(Documents.root().resolve("README.md")));
		Map<String, String> documented = rows.results()
			.collect(Collectors.toMap((row) -> row.group(1).replace(".*", ""),
					(row) -> row.group(2).replace("`", "").strip()));
		assertThat(documented).hasSize(10)
			.allSatisfy((name, value) -> assertThat(METADATA.properties()).containsKey(name)
				.extractingByKey(name)
				.extracting(Property::defaultValue)
				.isEqualTo(value));
	}

	// Names with a dash or a value: those without may be the names of meters
	@Test
	void propertiesNamedInTheTextExist() {
		Pattern name = Pattern.compile("`(%s[a-z.-]*?)((?:\\.\\*|\\[[^`]*)?)(=[^`]*)?`".formatted(OURS));
		Set<String> known = METADATA.properties().keySet();
		List<String> named = new ArrayList<>();
		List<String> unknown = new ArrayList<>();
		for (Path document : Documents.all()) {
			for (MatchResult match : name.matcher(Documents.text(document)).results().toList()) {
				String property = ofAnyOutbox(match.group(1));
				if ((property.contains("-") || match.group(3) != null) && !document.equals(MISTAKES)) {
					named.add(property);
					if (known.stream().noneMatch((one) -> one.equals(property) || one.startsWith(property + "."))) {
						unknown.add(Documents.name(document) + ": " + match.group());
					}
				}
			}
		}
		assertThat(named).hasSizeGreaterThan(100);
		assertThat(unknown).isEmpty();
	}

	@Test
	void whatIsCalledReplaceableIsWhatCanBeReplaced() {
		String extending = Documents.text(Documents.root().resolve("docs/extending.md"));
		int start = extending.indexOf("## Replace a part");
		String section = extending.substring(start, extending.indexOf("\n## ", start));
		Set<String> documented = Pattern.compile("`(\\w+)`")
			.matcher(section)
			.results()
			.map((name) -> name.group(1))
			.collect(Collectors.toSet());
		assertThat(documented).isEqualTo(replaceable()).hasSizeGreaterThan(10);
	}

	private static Set<String> replaceable() {
		return ImportCandidates.load(AutoConfiguration.class, DocumentationTests.class.getClassLoader())
			.getCandidates()
			.stream()
			.filter((name) -> name.startsWith("io.orderedoutbox."))
			.map((name) -> ClassUtils.resolveClassName(name, null))
			.flatMap((type) -> Stream.of(new Class<?>[] { type }, type.getDeclaredClasses(), imported(type))
				.flatMap(Stream::of))
			.flatMap((type) -> Stream.concat(Stream.of(type), Stream.of(type.getDeclaredMethods())))
			.filter((element) -> element.isAnnotationPresent(ConditionalOnMissingBean.class))
			.flatMap(DocumentationTests::replaceable)
			.collect(Collectors.toSet());
	}

	private static Class<?>[] imported(Class<?> type) {
		Import imports = type.getAnnotation(Import.class);
		return (imports != null) ? imports.value() : new Class<?>[0];
	}

	private static Stream<String> replaceable(AnnotatedElement element) {
		ConditionalOnMissingBean condition = element.getAnnotation(ConditionalOnMissingBean.class);
		Stream<String> named = Stream.concat(Stream.of(condition.name()),
				Stream.of(condition.value()).map(Class::getSimpleName));
		boolean byReturnType = condition.name().length + condition.value().length == 0;
		return byReturnType ? Stream.of(((Method) element).getReturnType().getSimpleName()) : named;
	}

	@Test
	void testsThatAreNamedExist() throws IOException {
		Map<String, String> sources = new HashMap<>();
		for (String module : List.of("outbox-spring-boot-autoconfigure", "outbox-spring-boot-starter-test",
				"outbox-debezium-tests", "outbox-ecosystem-tests", "outbox-kotlin-tests")) {
			try (Stream<Path> files = Files.walk(Documents.root().resolve(module).resolve("src/test"))) {
				files.filter((file) -> file.toString().matches(".*Tests\\.(java|kt)"))
					.forEach((file) -> sources.put(file.getFileName().toString().replaceFirst("\\.\\w+$", ""),
							Documents.text(file)));
			}
		}
		List<MatchResult> names = Documents.all()
			.stream()
			.flatMap(
					(document) -> Pattern.compile("`(\\w+Tests)\\.(\\w+)`").matcher(Documents.text(document)).results())
			.toList();
		assertThat(names).hasSizeGreaterThan(30);
		assertThat(names.stream()
			.filter((name) -> !sources.getOrDefault(name.group(1), "").contains(" " + name.group(2) + "("))
			.map(MatchResult::group)).isEmpty();
	}

	@Test
	void linksLeadSomewhere() {
		assertThat(Documents.all().stream().flatMap((document) -> Links.of(document).broken()))
			.as("links to files or headings that are not there")
			.isEmpty();
	}

	// Messages of the library, comments of scripts, the endpoint:
	// docs/operations.md#workers
	@Test
	void pagesThatTheCodeNamesExist() throws IOException {
		List<String> broken = new ArrayList<>();
		int named = 0;
		for (Path file : sources().toList()) {
			Matcher pages = PAGE.matcher(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
			while (pages.find()) {
				named++;
				if (!Links.exists(Documents.root().resolve(pages.group(1)), pages.group(2))) {
					broken.add(Documents.name(file) + ": " + pages.group());
				}
			}
		}
		assertThat(named).isGreaterThan(20);
		assertThat(broken).isEmpty();
	}

	private static Stream<Path> sources() throws IOException {
		List<Path> sources = new ArrayList<>();
		try (Stream<Path> directories = Files.list(Documents.root())) {
			for (Path directory : directories.toList()) {
				Path source = directory.resolveSibling(directory.getFileName() + "/src");
				if (Files.isDirectory(source)) {
					try (Stream<Path> files = Files.walk(source)) {
						files.filter(Files::isRegularFile).forEach(sources::add);
					}
				}
			}
		}
		return sources.stream();
	}

}
