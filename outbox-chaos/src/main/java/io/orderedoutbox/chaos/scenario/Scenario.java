/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.scenario;

import java.util.List;

/**
 * Something that happens, and how long the outbox takes to get over it.
 */
@FunctionalInterface
interface Scenario {

	/**
	 * Lets it happen, more than once.
	 */
	List<Figure> measure(Stage stage) throws Exception;

}
