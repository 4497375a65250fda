package io.orderedoutbox.autoconfigure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;

import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.Resource;

/**
 * The text of a script that creates tables, with the names that properties give them.
 */
final class ScriptText {

	private ScriptText() {
	}

	/**
	 * Return a script with a changed text, under the description of the original.
	 */
	static Resource changed(Resource script, UnaryOperator<String> change) {
		try {
			String sql = change.apply(script.getContentAsString(StandardCharsets.UTF_8));
			return new ByteArrayResource(sql.getBytes(StandardCharsets.UTF_8), script.getDescription());
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The script " + script + " could not be read", ex);
		}
	}

}
