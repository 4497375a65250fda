package io.orderedoutbox.autoconfigure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

/**
 * The properties below a prefix that the metadata of any library, or of the application,
 * describe.
 *
 * @param names their names, without the keys of maps and the indexes of lists
 */
record KnownProperties(Set<ConfigurationPropertyName> names) {

	private static final String METADATA = "classpath*:META-INF/spring-configuration-metadata.json";

	/**
	 * Read them.
	 * @param prefix the beginning of their names
	 * @param loader where the libraries are
	 */
	static KnownProperties read(String prefix, ClassLoader loader) {
		Set<ConfigurationPropertyName> names = new TreeSet<>();
		try {
			for (Resource resource : new PathMatchingResourcePatternResolver(loader).getResources(METADATA)) {
				String json = resource.getContentAsString(StandardCharsets.UTF_8);
				// Most of them are large, and none of ours
				if (json.contains("\"" + prefix + ".")) {
					names(json).filter((name) -> name.startsWith(prefix + "."))
						.map(ConfigurationPropertyName::of)
						.forEach(names::add);
				}
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The metadata of configuration properties cannot be read", ex);
		}
		return new KnownProperties(Collections.unmodifiableSet(names));
	}

	private static Stream<String> names(String json) {
		List<?> properties = (List<?>) JsonParserFactory.getJsonParser()
			.parseMap(json)
			.getOrDefault("properties", List.of());
		return properties.stream().map((property) -> String.valueOf(((Map<?, ?>) property).get("name")));
	}

	/**
	 * Whether something reads the property, or it belongs to a map or a list that
	 * something reads.
	 */
	boolean contain(ConfigurationPropertyName name) {
		return this.names.contains(name) || this.names.stream().anyMatch((known) -> known.isAncestorOf(name));
	}

	/**
	 * Return the name that was meant, perhaps: the one that differs in the fewest
	 * characters. Null if all of them are very different.
	 */
	@Nullable ConfigurationPropertyName nearest(ConfigurationPropertyName name) {
		String text = name.toString();
		ConfigurationPropertyName nearest = this.names.stream()
			.min(Comparator.comparingInt((known) -> distance(known.toString(), text)))
			.orElse(null);
		boolean isNear = nearest != null && distance(nearest.toString(), text) <= Math.max(2, text.length() / 3);
		return isNear ? nearest : null;
	}

	// Levenshtein's: how many characters have to be changed, put in or taken out
	private static int distance(String one, String other) {
		int[] last = new int[other.length() + 1];
		Arrays.setAll(last, (column) -> column);
		for (int row = 1; row <= one.length(); row++) {
			int[] next = new int[other.length() + 1];
			next[0] = row;
			for (int column = 1; column <= other.length(); column++) {
				int change = (one.charAt(row - 1) == other.charAt(column - 1)) ? 0 : 1;
				next[column] = Math.min(Math.min(last[column], next[column - 1]) + 1, last[column - 1] + change);
			}
			last = next;
		}
		return last[other.length()];
	}

	boolean isEmpty() {
		return this.names.isEmpty();
	}

}
