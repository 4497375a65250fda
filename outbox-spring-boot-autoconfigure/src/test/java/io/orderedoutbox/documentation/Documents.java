package io.orderedoutbox.documentation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import javax.sql.DataSource;

import org.springframework.core.io.ByteArrayResource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

/**
 * The README, CONTRIBUTING and everything in docs, and the fenced blocks in them.
 */
final class Documents {

	private Documents() {
	}

	static Path root() {
		Path directory = Path.of("").toAbsolutePath();
		while (!Files.exists(directory.resolve("mvnw"))) {
			directory = directory.getParent();
		}
		return directory;
	}

	static List<Path> all() {
		try (Stream<Path> docs = Files.walk(root().resolve("docs"))) {
			List<Path> all = new ArrayList<>(docs.filter((file) -> file.toString().endsWith(".md")).sorted().toList());
			all.add(root().resolve("README.md"));
			all.add(root().resolve("CONTRIBUTING.md"));
			return all;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	static String text(Path document) {
		try {
			return Files.readString(document);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	static List<Block> blocks(String language) {
		return all().stream()
			.flatMap((document) -> blocks(document).stream())
			.filter((block) -> block.is(language))
			.toList();
	}

	private static List<Block> blocks(Path document) {
		List<Block> blocks = new ArrayList<>();
		String heading = "";
		StringBuilder content = null;
		String language = "";
		// Of a block that belongs to an item of a list
		String indentation = "";
		for (String line : text(document).split("\n")) {
			boolean isFence = line.strip().startsWith("```");
			if (content == null && line.startsWith("#")) {
				heading = line;
			}
			if (isFence && content == null) {
				language = line.strip().substring(3).strip();
				indentation = line.substring(0, line.indexOf('`'));
				content = new StringBuilder();
			}
			else if (isFence) {
				blocks.add(new Block(document.getFileName().toString(), heading, language, content.toString()));
				content = null;
			}
			else if (content != null) {
				content.append(line.startsWith(indentation) ? line.substring(indentation.length()) : line).append('\n');
			}
		}
		return blocks;
	}

	/**
	 * A fenced block.
	 */
	record Block(String document, String heading, String language, String content) {

		boolean is(String other) {
			return this.language.equals(other);
		}

		/**
		 * The same block with something else in it.
		 */
		Block with(String example, String replacement) {
			return new Block(this.document, this.heading, this.language, this.content.replace(example, replacement));
		}

		/**
		 * Run a block of SQL, statement by statement, on one connection.
		 */
		void run(DataSource dataSource) {
			ByteArrayResource script = new ByteArrayResource(this.content.getBytes(StandardCharsets.UTF_8), toString());
			new ResourceDatabasePopulator(script).execute(dataSource);
		}

		@Override
		public String toString() {
			return this.document + " " + this.heading;
		}

	}

}
