/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.process;

import java.util.List;
import java.util.Map;

/**
 * How a process is started differently from the others of its kind.
 *
 * @param jvmOptions further options of the JVM
 * @param environment further variables of the environment
 */
public record Launch(List<String> jvmOptions, Map<String, String> environment) {

	/**
	 * Not differently at all.
	 */
	public static final Launch ORDINARY = new Launch(List.of(), Map.of());

	/**
	 * Create a launch.
	 */
	public Launch {
		jvmOptions = List.copyOf(jvmOptions);
		environment = Map.copyOf(environment);
	}

}
