/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.aop.framework.Advised;
import org.springframework.beans.BeanWrapper;
import org.springframework.beans.BeanWrapperImpl;
import org.springframework.beans.BeansException;

/**
 * How errors call a database: by its JDBC URL as far as the name of the schema, and by
 * the user.
 * <p>
 * A URL can contain a password in many places. So only what looks like hosts, ports and a
 * name is taken out of it, and of any other URL no more than its beginning.
 */
public final class DatabaseName {

	private static final Logger logger = LoggerFactory.getLogger(DatabaseName.class);

	private static final Pattern URL = Pattern.compile(
			"(jdbc:[a-z0-9:+-]+//)(?:[^/@]+@)?([\\w.:,\\[\\]-]+/[\\w$-]*)(?:[?;][^@]*)?", Pattern.CASE_INSENSITIVE);

	// H2 in memory, in a file, or on a server: the settings come behind a semicolon
	private static final Pattern H2 = Pattern.compile("(jdbc:h2:[\\w:./~-]+)(?:;.*)?", Pattern.CASE_INSENSITIVE);

	private static final Pattern BEGINNING = Pattern.compile("jdbc:[a-z0-9+-]+", Pattern.CASE_INSENSITIVE);

	private static final Pattern PASSWORD = Pattern
		.compile("(password\\w*\\s*=\\s*)(?:'[^']*'|\"[^\"]*\"|[^&;\\s]+)|(:/+)[^\\s/]*@", Pattern.CASE_INSENSITIVE);

	// MariaDB's driver leaves it out
	private static final Pattern USUAL_PORT = Pattern.compile(
			"(?<=jdbc:(?:mysql|mariadb)://[^:/,]{1,255}):3306(?=/)|(?<=jdbc:postgresql://[^:/,]{1,255}):5432(?=/)");

	private static final Pattern SCHEMA = Pattern.compile("[?&]currentSchema=([\\w$-]+)");

	// A library that logs statements wraps the pool, as Spring does; more than a few
	// layers are a circle
	private static final int LAYERS = 10;

	private DatabaseName() {
	}

	/**
	 * Return the name of the database that a data source leads to.
	 * @param dataSource the data source, which is not asked for a connection
	 * @return its address, schema and user, as far as they are known
	 */
	public static String of(DataSource dataSource) {
		BeanWrapper bean = withUrl(dataSource);
		String user = (bean != null) ? first(bean, "username", "user") : null;
		String address = (bean != null) ? ofUrl(urlOf(bean)) : "of " + dataSource.getClass().getSimpleName();
		return (user != null) ? "%s (user '%s')".formatted(address, user) : address;
	}

	/**
	 * Return the address of the schema that a data source leads to.
	 * @param dataSource the data source, which is not asked for a connection
	 * @return hosts, ports, database and schema, without a port that is the usual one;
	 * {@code null} if it has no URL, or one of another form
	 */
	public static @Nullable String addressOf(DataSource dataSource) {
		BeanWrapper bean = withUrl(dataSource);
		return (bean != null) ? address(urlOf(bean)) : null;
	}

	/**
	 * Return the address of the schema that a connection leads to.
	 * @param connection the connection
	 * @return the same as for its data source: drivers write URLs in their own way
	 * @throws SQLException if the connection does not tell
	 */
	public static @Nullable String addressOf(Connection connection) throws SQLException {
		return address(connection.getMetaData().getURL());
	}

	private static @Nullable String address(@Nullable String url) {
		if (url == null || !(URL.matcher(url).matches() || H2.matcher(url).matches())) {
			return null;
		}
		String address = USUAL_PORT.matcher(ofUrl(url)).replaceFirst("");
		// PostgreSQL's databases have schemas, and its driver has a parameter for them
		Matcher schema = SCHEMA.matcher(url);
		return schema.find() ? address + "/" + schema.group(1) : address;
	}

	/**
	 * Return whether two data sources lead to the same schema, as far as that is known
	 * without a connection.
	 * @param one a data source
	 * @param other another one, or the same
	 * @return {@code false} also if that is not known
	 */
	public static boolean isSame(DataSource one, DataSource other) {
		if (one == other) {
			return true;
		}
		BeanWrapper bean = withUrl(one);
		BeanWrapper second = withUrl(other);
		if (bean == null || second == null) {
			return false;
		}
		String address = address(urlOf(bean));
		return address != null && address.equals(address(urlOf(second)))
				&& Objects.equals(first(bean, "schema", "catalog"), first(second, "schema", "catalog"));
	}

	private static @Nullable BeanWrapper withUrl(DataSource dataSource) {
		DataSource layer = dataSource;
		for (int i = 0; i < LAYERS && layer != null; i++) {
			BeanWrapper bean = new BeanWrapperImpl(layer);
			if (first(bean, "jdbcUrl", "url") != null) {
				return bean;
			}
			layer = (layer instanceof Advised proxy) ? targetOf(proxy)
					: first(bean, DataSource.class, "targetDataSource", "dataSource", "realDataSource");
		}
		return null;
	}

	private static String urlOf(BeanWrapper bean) {
		return Objects.requireNonNull(first(bean, "jdbcUrl", "url"));
	}

	private static @Nullable DataSource targetOf(Advised proxy) {
		try {
			return (proxy.getTargetSource().getTarget() instanceof DataSource target) ? target : null;
		}
		catch (Exception ex) {
			logger.debug("A proxy of a DataSource does not show what is behind it", ex);
			return null;
		}
	}

	static String ofUrl(String url) {
		Matcher whole = URL.matcher(url);
		if (whole.matches()) {
			return whole.group(1) + whole.group(2);
		}
		Matcher h2 = H2.matcher(url);
		if (h2.matches()) {
			return h2.group(1);
		}
		Matcher beginning = BEGINNING.matcher(url);
		return beginning.lookingAt() ? beginning.group() + ":..." : "with a URL that is none of JDBC";
	}

	/**
	 * The text of an error that may quote a URL.
	 */
	static String withoutPassword(String text) {
		return PASSWORD.matcher(text)
			.replaceAll((match) -> Matcher
				.quoteReplacement((match.group(1) != null) ? match.group(1) + "***" : match.group(2) + "***@"));
	}

	private static @Nullable String first(BeanWrapper bean, String... properties) {
		String value = first(bean, String.class, properties);
		return (value != null && !value.isEmpty()) ? value : null;
	}

	private static <T> @Nullable T first(BeanWrapper bean, Class<T> type, String... properties) {
		return Stream.of(properties)
			.filter(bean::isReadableProperty)
			.map((property) -> value(bean, type, property))
			.filter(Objects::nonNull)
			.findFirst()
			.orElse(null);
	}

	private static <T> @Nullable T value(BeanWrapper bean, Class<T> type, String property) {
		try {
			Object value = bean.getPropertyValue(property);
			return type.isInstance(value) ? type.cast(value) : null;
		}
		catch (BeansException ex) {
			logger.debug("A DataSource does not tell its {}", property, ex);
			return null;
		}
	}

}
