/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.servers;

/**
 * Tells which of the optional libraries are there.
 */
final class ClassPath {

	private ClassPath() {
	}

	static boolean has(String type) {
		try {
			Class.forName(type, false, ClassPath.class.getClassLoader());
			return true;
		}
		catch (ClassNotFoundException ex) {
			return false;
		}
	}

}
