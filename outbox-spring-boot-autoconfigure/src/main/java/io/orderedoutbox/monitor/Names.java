package io.orderedoutbox.monitor;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Constants as they are written in JSON and in addresses: in lower case.
 */
final class Names {

	private Names() {
	}

	static String of(Enum<?> constant) {
		return constant.name().toLowerCase(Locale.ROOT);
	}

	/**
	 * The constant of a name.
	 * @throws IllegalArgumentException if there is none, with those that there are
	 */
	static <E extends Enum<E>> E find(Class<E> type, String parameter, String name) {
		E[] constants = type.getEnumConstants();
		return Arrays.stream(constants)
			.filter((constant) -> of(constant).equals(name))
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException("'%s' must be one of %s, but is '%s'".formatted(parameter,
					Arrays.stream(constants).map(Names::of).collect(Collectors.joining(", ")), name)));
	}

}
