/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.benchmark.scenario;

import java.util.List;

import io.orderedoutbox.benchmark.figure.Figure;

/**
 * Something to be measured.
 */
public interface Scenario {

	/**
	 * What it is called on the command line.
	 */
	String name();

	/**
	 * What it is about, in a line.
	 */
	String title();

	/**
	 * Whether it can be measured on PostgreSQL too: what it fills the tables with, or
	 * asks the server for, is not in words of MySQL only.
	 */
	default boolean isForAnyDatabase() {
		return false;
	}

	/**
	 * Measure it.
	 * @param bench the servers, and what is sent
	 * @return what was found
	 */
	List<Figure> measure(Bench bench) throws Exception;

}
