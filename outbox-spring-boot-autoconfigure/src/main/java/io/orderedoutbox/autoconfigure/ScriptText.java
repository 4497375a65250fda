/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure;

import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;

import io.orderedoutbox.schema.SchemaScript;

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
	static Resource changed(Resource script, UnaryOperator<SchemaScript> change) {
		String sql = change.apply(SchemaScript.of(script)).text();
		return new ByteArrayResource(sql.getBytes(StandardCharsets.UTF_8), script.getDescription());
	}

}
