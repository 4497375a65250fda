package io.orderedoutbox.publish;

import java.util.stream.Stream;

/**
 * Types that no author of events has written, and on which an author can put no
 * annotation.
 */
final class LibraryTypes {

	private LibraryTypes() {
	}

	/**
	 * Return whether the type is one of the JDK, of Spring, of Kotlin or of Jackson, or
	 * an array.
	 */
	static boolean contain(Class<?> type) {
		ClassLoader loader = type.getClassLoader();
		return type.isArray() || loader == null || loader == ClassLoader.getPlatformClassLoader() || isOfSpring(type)
				|| Stream.of("kotlin.", "tools.jackson.", "com.fasterxml.jackson.")
					.anyMatch(type.getName()::startsWith);
	}

	/**
	 * Return whether the type is one of Spring, and not of one of its sample
	 * applications.
	 */
	static boolean isOfSpring(Class<?> type) {
		return type.getName().startsWith("org.springframework.")
				&& !type.getName().startsWith("org.springframework.samples.");
	}

}
