/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.schema;

import java.util.List;

/**
 * An index, as a script creates it.
 *
 * @param name its name, {@value #PRIMARY} for the primary key
 * @param columns the names of its columns, in their order
 * @param statement adds it to the table that is there
 */
record IndexDefinition(String name, List<String> columns, String statement) {

	static final String PRIMARY = "PRIMARY";

	boolean isPrimary() {
		return this.name.equals(PRIMARY);
	}

	@Override
	public String toString() {
		String list = "(" + String.join(", ", this.columns) + ")";
		return isPrimary() ? "primary key " + list : "index '%s' %s".formatted(this.name, list);
	}

}
