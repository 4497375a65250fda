/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.dialect;

import java.lang.reflect.Proxy;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;

import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.jdbc.OutboxSchema;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link Dialect}.
 */
@Tag("unit")
class DialectTests {

	@ParameterizedTest
	@CsvSource({ "8.0.17, MYSQL", "8.0.40-0ubuntu0.22.04.1 (Ubuntu), MYSQL", "8.0.42-33 Percona Server (GPL), MYSQL",
			"8.4.3-log, MYSQL", "9.7.4-2, MYSQL", "10.6.0-MariaDB, MARIADB",
			"10.11.6-MariaDB-1:10.11.6+maria~ubu2204, MARIADB", "11.4.5-MariaDB, MARIADB",
			"11.8.3-mariadb-debug, MARIADB", "5.5.5-10.6.12-MariaDB-log, MARIADB",
			"PostgreSQL 14.0 on x86_64-pc-linux-gnu, POSTGRESQL", "PostgreSQL 16.4 (Debian 16.4-1), POSTGRESQL",
			"PostgreSQL 18beta1, POSTGRESQL", "2.4.240 H2 in mode REGULAR, H2", "2.5.1 H2 in mode MySQL, H2",
			"2.4.240 H2 in mode PostgreSQL, H2", "2.4.240 H2 in mode LEGACY, H2" })
	void isToldByTheVersion(String version, Dialect dialect) {
		assertThat(Dialect.of(version)).isSameAs(dialect);
	}

	@ParameterizedTest
	@ValueSource(strings = { "5.7.44-log", "8.0.16", "8.0.11-TiDB-v8.5.0", "10.5.27-MariaDB", "5.5.5-10.5.27-MariaDB",
			"5.5.68-MariaDB", "PostgreSQL 13.21 on x86_64-pc-linux-gnu", "PostgreSQL 8.0.2 on i686, Redshift 1.0.12103",
			"PostgreSQL 15.2-YB-2.25.0.0-b0 on x86_64-pc-linux-gnu", "CockroachDB CCL v24.3.1 (x86_64-pc-linux-gnu)",
			"2.4.240 (2025-09-22)", "2.3.232 H2 in mode REGULAR", "null", "" })
	void refusesWhatIsTooOldOrUnknownAndSaysWhatToUse(String version) {
		assertThatExceptionOfType(OutboxConfigurationException.class).isThrownBy(() -> Dialect.of(version))
			.satisfies((ex) -> {
				assertThat(ex.getDescription()).contains("'" + version + "'");
				assertThat(ex.getRemedy()).contains("MySQL 8.0.17", "MariaDB 10.6", "PostgreSQL 14");
			});
	}

	@ParameterizedTest
	@CsvSource({ "HSQL Database Engine, 2.7.4", "Microsoft SQL Server, 16.00.1000", "Oracle, 23.0.0" })
	void refusesADatabaseThatIsNoneOfOursByItsName(String product, String version) {
		assertThatExceptionOfType(OutboxConfigurationException.class)
			.isThrownBy(() -> Dialect.requireSupported(metaData(product, version)))
			.satisfies((ex) -> {
				assertThat(ex.getDescription()).contains(product, version);
				assertThat(ex.getRemedy()).contains("MySQL 8.0.17", "MariaDB 10.6", "PostgreSQL 14",
						"@OutboxDataSource");
			});
	}

	@ParameterizedTest
	@CsvSource({ "MySQL, 8.4.0", "MariaDB, 11.4.5-MariaDB", "PostgreSQL, 16.4 (gcc 12.2.0)",
			"H2, 2.4.240 (2025-09-22)" })
	void acceptsTheNamesThatDriversGiveTheDatabasesThatItWorksOn(String product, String version) throws SQLException {
		Dialect.requireSupported(metaData(product, version));
	}

	@ParameterizedTest
	@ValueSource(strings = { "Oracle", "MSSQLServer", "DB2", "Derby", "HSQLDB", "STRICT" })
	void refusesAModeOfH2InWhichThingsMeanSomethingElseByItsName(String mode) {
		assertThatExceptionOfType(OutboxConfigurationException.class)
			.isThrownBy(() -> Dialect.of("2.4.240 H2 in mode " + mode))
			.satisfies((ex) -> {
				assertThat(ex.getDescription()).contains("H2 in mode " + mode);
				assertThat(ex.getRemedy()).contains("MODE=" + mode, "MySQL", "PostgreSQL");
			});
	}

	@ParameterizedTest
	@CsvSource({ "5.7.44-log, MySQL", "10.5.27-MariaDB, MariaDB", "PostgreSQL 13.21, PostgreSQL",
			"8.0.17-TiDB-v8.5.0, TiDB", "8.0.30-Vitess Version: 23.0.0, Vitess",
			"8.4.6-vitess-24.0.0 MySQL Community Server, Vitess", "8.0.33 Dolt, Dolt",
			"5.7.25-OceanBase-v4.3.5.0 OceanBase_CE, OceanBase",
			"8.0.37 SingleStoreDB source distribution, SingleStore", "PostgreSQL 15.2-YB-2.25.0.0-b0, YugabyteDB",
			"CockroachDB CCL v24.3.1, CockroachDB" })
	void namesTheProductThatIsTooOld(String version, String product) {
		assertThatExceptionOfType(OutboxConfigurationException.class).isThrownBy(() -> Dialect.of(version))
			.satisfies((ex) -> assertThat(ex.getDescription()).contains(product, version));
	}

	private static DatabaseMetaData metaData(String product, String version) {
		return (DatabaseMetaData) Proxy.newProxyInstance(DialectTests.class.getClassLoader(),
				new Class<?>[] { DatabaseMetaData.class },
				(proxy, method, arguments) -> method.getName().equals("getDatabaseProductName") ? product : version);
	}

	@ParameterizedTest
	@CsvSource({ "MYSQL, mysql", "MARIADB, mariadb", "POSTGRESQL, postgresql", "H2, h2" })
	void namesItsPlatform(Dialect dialect, String platform) {
		assertThat(dialect.platform()).isEqualTo(platform);
		assertThat(OutboxSchema.class.getResource("schema-" + platform + ".sql")).isNotNull();
	}

}
