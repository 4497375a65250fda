package io.orderedoutbox.documentation;

import java.io.IOException;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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

import io.orderedoutbox.autoconfigure.OutboxProperties;
import io.orderedoutbox.documentation.Documents.Block;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OutboxApplication;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.ClassPathResource;
import org.springframework.context.annotation.Import;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every snippet of the documentation compiles, binds or runs, and every property in it
 * exists.
 */
class DocumentationTests {

	// What Actuator knows of the outbox is a property of the outbox, too
	private static final String OURS = "(?:(?:management\\.(?:health|endpoint)\\.(?:ordered)?)?outbox|management\\.(?:health|endpoint)\\.(?:ordered)?inbox)\\.";

	// Commands that nobody could run in a test of their own: CI runs each of them
	private static final Set<String> COMMANDS = Set.of("## Run the sample", "## Run the tests");

	@TempDir
	Path directory;

	static List<String> documentsWithJava() {
		return Documents.blocks("java").stream().map(Block::document).distinct().toList();
	}

	@ParameterizedTest
	@MethodSource("documentsWithJava")
	void javaCompiles(String document) throws IOException {
		assertThat(Snippets.of(document).compile(this.directory)).as(document).isEmpty();
	}

	static Stream<Block> yaml() {
		return Documents.blocks("yaml").stream();
	}

	@ParameterizedTest
	@MethodSource("yaml")
	void yamlBindsToPropertiesThatExist(Block block) throws IOException {
		List<PropertySource<?>> sources = new YamlPropertySourceLoader().load(block.toString(),
				new ByteArrayResource(block.content().getBytes(StandardCharsets.UTF_8)));
		assertThat(sources).isNotEmpty();
		for (PropertySource<?> source : sources) {
			for (String written : ((EnumerablePropertySource<?>) source).getPropertyNames()) {
				String name = ofAnyOutbox(written);
				if (Pattern.compile(OURS).matcher(name).lookingAt()) {
					assertThat(metadata().keySet())
						.anyMatch((known) -> name.equals(known) || name.startsWith(known + "["));
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
			// Those that need the tables of another library are run where these are
			blocks.stream()
				.filter((block) -> !MigrationProcedure.isRunBesideOtherTables(block))
				.forEach((block) -> block.run(dataSource));
		}
	}

	@Test
	void dependencyIsTheStarter() throws IOException {
		// The other ones are lines of a change log
		List<Block> blocks = Documents.blocks("xml")
			.stream()
			.filter((block) -> !block.content().startsWith("<include "))
			.toList();
		assertThat(blocks).isNotEmpty();
		String pom = Files.readString(Documents.root().resolve("outbox-spring-boot-starter/pom.xml"));
		for (Block block : blocks) {
			for (String element : new String[] { "groupId", "artifactId", "version" }) {
				assertThat(block.content()).contains("<" + element + ">" + own(pom, element) + "</" + element + ">");
			}
		}
	}

	// The module's own, or else its parent's: the last one before the dependencies
	private static String own(String pom, String element) {
		Matcher matcher = Pattern.compile("<" + element + ">(.*?)</" + element + ">")
			.matcher(pom.substring(0, pom.indexOf("<dependencies>")));
		String value = "";
		while (matcher.find()) {
			value = matcher.group(1);
		}
		return value;
	}

	@Test
	void commandsOfTheReadmeAreRunByCi() throws IOException {
		String ci = Files.readString(Documents.root().resolve(".ci/run"));
		assertThat(Documents.text(Documents.root().resolve("README.md")).lines()).hasSizeLessThan(120);
		List<Block> commands = Documents.blocks("shell")
			.stream()
			.filter((block) -> block.document().equals("README.md"))
			.toList();
		assertThat(commands).extracting(Block::heading).containsExactlyInAnyOrderElementsOf(COMMANDS);
		assertThat(commands).allSatisfy((block) -> assertThat(block.content().strip().lines()).hasSize(1));
		assertThat(COMMANDS).allSatisfy((heading) -> assertThat(ci).contains("readme_command \"" + heading + "\""));
	}

	@Test
	void propertiesThatAreDocumentedAreThoseThatExist() throws IOException {
		Map<String, String> documented = properties("docs/properties.md");
		assertThat(documented.keySet()).isEqualTo(metadata().keySet());
		metadata().forEach((name, defaultValue) -> {
			if (!defaultValue.isEmpty()) {
				assertThat(documented).containsEntry(name, defaultValue);
			}
		});
		assertThat(documented).containsAllEntriesOf(properties("README.md"));
		assertThat(properties("README.md")).hasSize(10);
	}

	private static Map<String, String> properties(String document) {
		Matcher rows = Pattern.compile("(?m)^\\| `(%s[^`]+)` \\|([^|]*)\\|".formatted(OURS))
			.matcher(Documents.text(Documents.root().resolve(document)));
		return rows.results()
			.collect(Collectors.toMap((row) -> row.group(1).replace(".*", ""),
					(row) -> row.group(2).replace("`", "").strip()));
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
		for (String module : List.of("outbox-spring-boot-autoconfigure", "outbox-debezium-tests")) {
			try (Stream<Path> files = Files.walk(Documents.root().resolve(module).resolve("src/test/java"))) {
				files.filter((file) -> file.toString().endsWith("Tests.java"))
					.forEach((file) -> sources.put(file.getFileName().toString().replace(".java", ""),
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
		for (Path document : Documents.all()) {
			Matcher links = Pattern.compile("]\\((?!https?:)([^)#]+)").matcher(Documents.text(document));
			Set<String> targets = links.results().map((link) -> link.group(1)).collect(Collectors.toSet());
			assertThat(targets)
				.allSatisfy((target) -> assertThat(document.resolveSibling(target)).as("in " + document).exists());
		}
	}

	private static Map<String, String> metadata() throws IOException {
		String json = new ClassPathResource("META-INF/spring-configuration-metadata.json")
			.getContentAsString(StandardCharsets.UTF_8);
		return JsonMapper.shared()
			.readTree(json)
			.get("properties")
			.valueStream()
			.filter((property) -> Pattern.compile(OURS).matcher(property.get("name").asString()).lookingAt())
			.collect(Collectors.toMap((property) -> property.get("name").asString(), DocumentationTests::defaultValue));
	}

	private static String defaultValue(JsonNode property) {
		JsonNode value = property.get("defaultValue");
		String text = (value != null && !value.isContainer()) ? value.asString() : "";
		return property.get("type").asString().equals(Access.class.getName()) ? text.replace('_', '-') : text;
	}

}
