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
