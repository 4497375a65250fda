/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.ecosystem;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A library that an application of these tests can have. All of them are on the class
 * path: an application is without one if none of its auto-configurations runs.
 */
enum Library {

	DATA_JDBC("org.springframework.boot.data.jdbc."),

	JPA("org.springframework.boot.hibernate.", "org.springframework.boot.data.jpa."),

	MODULITH("org.springframework.modulith."),

	MODULITH_REGISTRY_IN_JDBC("org.springframework.modulith.events.jdbc."),

	MODULITH_REGISTRY_IN_JPA("org.springframework.modulith.events.jpa."),

	NAMASTACK("io.namastack."),

	R2DBC("org.springframework.boot.r2dbc.", "org.springframework.boot.data.r2dbc."),

	SECURITY("org.springframework.boot.security.");

	private final List<String> packages;

	Library(String... packages) {
		this.packages = List.of(packages);
	}

	/**
	 * Return the library that brings an auto-configuration: that with the longest package
	 * it is in.
	 */
	static Optional<Library> of(String autoConfiguration) {
		return Stream.of(values())
			.filter((library) -> library.in(autoConfiguration) > 0)
			.max(Comparator.comparing((library) -> library.in(autoConfiguration)));
	}

	private int in(String autoConfiguration) {
		return this.packages.stream().filter(autoConfiguration::startsWith).mapToInt(String::length).max().orElse(0);
	}

}
