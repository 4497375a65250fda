/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.diagnostics;

import java.sql.SQLException;

import io.orderedoutbox.autoconfigure.ClassPathTests;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.beans.factory.BeanCreationException;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link MissingDriverFailureAnalyzer}. What a real application says without
 * its driver is in {@link ClassPathTests}.
 */
@Tag("unit")
class MissingDriverFailureAnalyzerTests {

	private final FailureAnalyzer analyzer = new MissingDriverFailureAnalyzer((name) -> false);

	@ParameterizedTest
	@CsvSource({ "com.mysql.cj.jdbc.Driver, com.mysql:mysql-connector-j",
			"org.mariadb.jdbc.Driver, org.mariadb.jdbc:mariadb-java-client",
			"org.postgresql.Driver, org.postgresql:postgresql", "org.h2.Driver, com.h2database:h2" })
	void namesTheDependencyThatBringsTheDriver(String driver, String dependency) {
		IllegalStateException cause = new IllegalStateException("Cannot load driver class: " + driver);
		FailureAnalysis analysis = this.analyzer.analyze(new BeanCreationException("dataSource", "outer", cause));
		assertThat(analysis).isNotNull();
		assertThat(analysis.getDescription()).startsWith("The JDBC driver " + driver + " is not on the class path.");
		assertThat(analysis.getAction()).startsWith("Add the dependency " + dependency + " ")
			.contains("com.mysql:mysql-connector-j", "org.mariadb.jdbc:mariadb-java-client",
					"org.postgresql:postgresql");
		assertThat(analysis.getCause()).isSameAs(cause);
	}

	@Test
	void aUrlThatNoDriverTakesTellsWhichOneIsMissing() {
		SQLException cause = new SQLException("No suitable driver found for jdbc:mysql://localhost/shop");
		FailureAnalysis analysis = this.analyzer.analyze(cause);
		assertThat(analysis).isNotNull();
		assertThat(analysis.getAction()).startsWith("Add the dependency com.mysql:mysql-connector-j ");
	}

	@Test
	void aDriverThatIsThereIsNotMissing() {
		assertThat(new MissingDriverFailureAnalyzer().analyze(new IllegalStateException(
				"Driver com.mysql.cj.jdbc.Driver claims to not accept jdbcUrl, jdbc:other:x")))
			.isNull();
	}

	@Test
	void leavesOtherFailuresToOthers() {
		assertThat(this.analyzer.analyze(new IllegalStateException("other"))).isNull();
		assertThat(this.analyzer.analyze(new IllegalStateException())).isNull();
	}

}
