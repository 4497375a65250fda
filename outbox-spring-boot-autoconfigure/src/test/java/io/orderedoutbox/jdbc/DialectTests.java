package io.orderedoutbox.jdbc;

import io.orderedoutbox.OutboxConfigurationException;
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
	@CsvSource({ "8.0.17, MYSQL", "8.0.40-0ubuntu0.22.04.1, MYSQL", "8.4.3-log, MYSQL", "9.7.4-2, MYSQL",
			"10.6.0-MariaDB, MARIADB", "10.11.6-MariaDB-1:10.11.6+maria~ubu2204, MARIADB", "11.4.5-MariaDB, MARIADB",
			"11.8.3-mariadb-debug, MARIADB", "5.5.5-10.6.12-MariaDB-log, MARIADB" })
	void isToldByTheVersion(String version, Dialect dialect) {
		assertThat(Dialect.of(version)).isSameAs(dialect);
	}

	@ParameterizedTest
	@ValueSource(strings = { "5.7.44-log", "8.0.16", "8.0.11-TiDB-v8.5.0", "10.5.27-MariaDB", "5.5.5-10.5.27-MariaDB",
			"5.5.68-MariaDB", "PostgreSQL 16.4", "2.4.240 (2025-09-22)", "null", "" })
	void refusesWhatIsTooOldOrUnknownAndSaysWhatToUse(String version) {
		assertThatExceptionOfType(OutboxConfigurationException.class).isThrownBy(() -> Dialect.of(version))
			.satisfies((ex) -> {
				assertThat(ex.getDescription()).contains("'" + version + "'");
				assertThat(ex.getRemedy()).contains("MySQL 8.0.17", "MariaDB 10.6");
			});
	}

	@ParameterizedTest
	@CsvSource({ "MYSQL, mysql", "MARIADB, mariadb" })
	void namesItsPlatform(Dialect dialect, String platform) {
		assertThat(dialect.platform()).isEqualTo(platform);
		assertThat(Dialect.class.getResource("schema-" + platform + ".sql")).isNotNull();
	}

}
