package io.orderedoutbox.schema;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.springframework.core.io.Resource;

/**
 * A script that creates tables: a text of statements, each of which ends with a semicolon
 * at the end of a line, and can be repeated.
 *
 * @param text the script
 */
public record SchemaScript(String text) {

	private static final Pattern COMMENT = Pattern.compile("(?m)^\\s*--.*\\R?");

	private static final Pattern END = Pattern.compile(";[ \\t]*(?:\\R|\\z)");

	/**
	 * Read a script.
	 * @param script where it is, in UTF-8
	 * @return the script
	 */
	public static SchemaScript of(Resource script) {
		try {
			return new SchemaScript(script.getContentAsString(StandardCharsets.UTF_8));
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The script " + script + " could not be read", ex);
		}
	}

	/**
	 * Return the script with a changed text.
	 * @param change what changes it
	 * @return the changed script
	 */
	public SchemaScript changed(UnaryOperator<String> change) {
		return new SchemaScript(change.apply(this.text));
	}

	/**
	 * Return the statements of the script, without comments.
	 * @return the statements, in their order, without semicolons
	 */
	public List<String> statements() {
		return END.splitAsStream(COMMENT.matcher(this.text).replaceAll(""))
			.map(String::strip)
			.filter((statement) -> !statement.isEmpty())
			.toList();
	}

	/**
	 * The tables that the script creates.
	 */
	List<TableDefinition> tables() {
		return new TableParser(statements()).tables();
	}

	/**
	 * The statements that create one table, with its indexes.
	 */
	Stream<String> creating(String table) {
		return statements().stream().filter((statement) -> TableParser.creates(statement, table));
	}

}
