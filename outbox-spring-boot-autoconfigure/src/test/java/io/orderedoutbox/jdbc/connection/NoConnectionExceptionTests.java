/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.connection;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What an error says of a database that gives no connection.
 */
@Tag("unit")
class NoConnectionExceptionTests {

	private static final String URL = "jdbc:mysql://db:3306/shop?password=secret";

	@ParameterizedTest
	@CsvSource({ "1044, 42000", "1045, 28000", "1049, 42000", "1130, HY000", "1698, 28000", "0, 28P01", "0, 3D000" })
	void whatCredentialsNamesAndRightsAreToBlameForIsARefusal(int code, String state) {
		NoConnectionException failure = failure(new SQLException("no", state, code));
		assertThat(failure.isRefused()).isTrue();
		assertThat(failure)
			.hasMessage("the database jdbc:mysql://db:3306/shop (user 'clerk') refuses the connection: no");
	}

	// Too many connections of all or of this user, a server that ends, a host with too
	// many errors
	@ParameterizedTest
	@CsvSource({ "1040, 08004", "1203, 42000", "1226, 42000", "1053, 08S01", "1129, HY000", "1135, HY000" })
	void whatEndsByItselfIsNone(int code, String state) {
		NoConnectionException failure = failure(new SQLException("not now", state, code));
		assertThat(failure.isRefused()).isFalse();
		assertThat(failure).hasMessageStartingWith("no connection to the database jdbc:mysql://db:3306/shop")
			.hasMessageEndingWith("not now");
	}

	@Test
	void aNetworkThatFailsCannotBeReached() {
		assertThat(failure(new SQLException("no answer", "08S01", 0, new IOException("reset"))))
			.hasMessageContaining("cannot be reached: IOException: reset");
	}

	@Test
	void aPoolBehindProxiesIsNamed() {
		HikariDataSource pool = pool();
		ProxyFactory jdk = new ProxyFactory(new DelegatingDataSource(pool));
		ProxyFactory twice = new ProxyFactory(jdk.getProxy());
		String name = "jdbc:mysql://db:3306/shop (user 'clerk')";
		assertThat(DatabaseName.of((DataSource) jdk.getProxy())).isEqualTo(name);
		assertThat(DatabaseName.of((DataSource) twice.getProxy())).isEqualTo(name);
		assertThat(DatabaseName.of(new Wrapping(pool))).isEqualTo(name);
	}

	@Test
	void aDataSourceWithoutAUrlIsNamedByItsClass() {
		assertThat(DatabaseName.of(new Wrapping(null))).isEqualTo("of Wrapping");
	}

	@Test
	void databasesOfH2AreToldApart() throws SQLException {
		DataSource shop = new DriverManagerDataSource("jdbc:h2:mem:shop;MODE=MySQL;DB_CLOSE_DELAY=-1;PASSWORD=secret");
		DataSource billing = new DriverManagerDataSource("jdbc:h2:mem:billing");
		assertThat(DatabaseName.of(shop)).isEqualTo("jdbc:h2:mem:shop");
		assertThat(DatabaseName.isSame(shop, billing)).isFalse();
		DriverManagerDataSource odd = new DriverManagerDataSource("jdbc:postgresql://db/shop?ApplicationName=a@b");
		assertThat(DatabaseName.addressOf(odd)).as("not understood").isNull();
		assertThat(DatabaseName.isSame(odd, new DriverManagerDataSource(odd.getUrl()))).isFalse();
		assertThat(DatabaseName.addressOf(new DriverManagerDataSource("jdbc:mariadb://db:3306/north")))
			.as("as its driver writes it")
			.isEqualTo(DatabaseName
				.addressOf(new DriverManagerDataSource("jdbc:mariadb://db/north?user=app&password=***")));
		assertThat(DatabaseName.addressOf(new DriverManagerDataSource("jdbc:mysql://db:3307/north")))
			.isEqualTo("jdbc:mysql://db:3307/north");
		assertThat(DatabaseName.isSame(shop, new DriverManagerDataSource("jdbc:h2:mem:shop;MODE=MySQL"))).isTrue();
		try (Connection connection = billing.getConnection()) {
			assertThat(DatabaseName.addressOf(connection)).isEqualTo(DatabaseName.addressOf(billing));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "url jdbc:mysql://h/d?password=secret&user=a", "password = 'secret'",
			"password=sec)ret&a=b", "jdbc:mysql://u:secret@h/d", "jdbc:mysql:/u:secret@h", "Password=\"secret\"",
			"trustStorePassword=secret;" })
	void aPasswordIsNotQuoted(String text) {
		assertThat(DatabaseName.withoutPassword(text)).doesNotContain("sec", "ret").contains("***");
	}

	@Test
	void otherTextsStayAsTheyAre() {
		String text = "Access denied for user 'clerk'@'10.0.0.1' (using password: YES)";
		assertThat(DatabaseName.withoutPassword(text)).isEqualTo(text);
	}

	private static NoConnectionException failure(SQLException cause) {
		return NoConnectionException.of(pool(), cause);
	}

	private static HikariDataSource pool() {
		HikariDataSource pool = new HikariDataSource();
		pool.setJdbcUrl(URL);
		pool.setUsername("clerk");
		return pool;
	}

	/**
	 * As libraries wrap one that log statements.
	 */
	static final class Wrapping extends AbstractDataSource {

		private final @Nullable DataSource dataSource;

		Wrapping(@Nullable DataSource dataSource) {
			this.dataSource = dataSource;
		}

		public @Nullable DataSource getDataSource() {
			return this.dataSource;
		}

		@Override
		public Connection getConnection() {
			throw new UnsupportedOperationException();
		}

		@Override
		public Connection getConnection(String username, String password) {
			throw new UnsupportedOperationException();
		}

	}

}
