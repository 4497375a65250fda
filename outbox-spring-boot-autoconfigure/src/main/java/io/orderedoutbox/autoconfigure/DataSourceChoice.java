/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure;

import java.sql.SQLException;

import javax.sql.DataSource;

import io.orderedoutbox.OutboxConfigurationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.util.ClassUtils;

/**
 * In which of the application's DataSources the outbox is.
 */
public final class DataSourceChoice {

	private static final Logger logger = LoggerFactory.getLogger(DataSourceChoice.class);

	// Where Spring Boot may have a ConnectionFactory, beside which it makes no DataSource
	private static final String BESIDE_R2DBC = ClassUtils
		.isPresent("io.r2dbc.spi.ConnectionFactory", DataSourceChoice.class.getClassLoader())
				? " (beside a ConnectionFactory of R2DBC that has no effect: declare a bean of type DataSource, and a JdbcTransactionManager)"
				: "";

	private DataSourceChoice() {
	}

	/**
	 * Return the one that is marked, or else the only one or the primary one.
	 * @throws OutboxConfigurationException if there is no such
	 */
	public static DataSource of(ObjectProvider<DataSource> dataSource, ObjectProvider<DataSource> marked) {
		DataSource own = marked(marked, "@OutboxDataSource");
		if (own == null) {
			own = dataSource.getIfUnique();
		}
		if (own == null) {
			long candidates = dataSource.stream().count();
			throw (candidates == 0)
					? new OutboxConfigurationException("The outbox needs a DataSource, but there is none.",
							"Configure one with spring.datasource.url%s, or set outbox.enabled=false."
								.formatted(BESIDE_R2DBC))
					: new OutboxConfigurationException(
							"The outbox needs one DataSource, but there are %d.".formatted(candidates),
							"Mark the one that the business transactions use with @OutboxDataSource or @Primary.");
		}
		return own;
	}

	/**
	 * Return the one with an annotation, {@code null} if there is none.
	 * @throws OutboxConfigurationException if there are several
	 */
	static @Nullable DataSource marked(ObjectProvider<DataSource> marked, String annotation) {
		DataSource only = marked.getIfUnique();
		long number = (only != null) ? 1 : marked.stream().count();
		if (number > 1) {
			throw new OutboxConfigurationException(
					"The outbox takes one DataSource with %s, but there are %d.".formatted(annotation, number),
					"Remove %s from all but one of them.".formatted(annotation));
		}
		return only;
	}

	/**
	 * Return the DataSource, unless it leads now to one database and now to another: the
	 * relay would see one of them only, and what the others hold would never be sent.
	 * @throws OutboxConfigurationException if it routes, and that is not accepted
	 */
	static DataSource fixed(DataSource dataSource, OutboxJdbcProperties properties) {
		return fixed(dataSource, properties.isAcceptRouting(), "outbox",
				"The relay would see one of them only, and what the others hold would never be sent.",
				"publish in transactions of that one");
	}

	/**
	 * Return the same one for an inbox, unless it leads now to one database and now to
	 * another: a message whose record is in one of them would be processed again in
	 * another, and records would be removed in one only.
	 * @throws OutboxConfigurationException if there is no such, or if it routes, and that
	 * is not accepted
	 */
	public static DataSource ofInbox(ObjectProvider<DataSource> dataSource, ObjectProvider<DataSource> marked,
			Environment environment) {
		// Without an outbox its properties are no bean
		return fixed(of(dataSource, marked),
				environment.getProperty("outbox.jdbc.accept-routing", Boolean.class, false), "inbox",
				"A message that is routed elsewhere when it is delivered again would be processed twice, and records would be removed in one of them only.",
				"let the only or primary transaction manager work on that one");
	}

	private static DataSource fixed(DataSource dataSource, boolean acceptRouting, String owner, String harm,
			String transactions) {
		if (!acceptRouting && isRouting(dataSource)) {
			throw new OutboxConfigurationException(
					"The DataSource of the %s, %s, routes to several databases. %s".formatted(owner,
							dataSource.getClass().getName(), harm),
					"Mark the DataSource of one database with @OutboxDataSource, and %s. If it routes only reading transactions elsewhere, and all that write and the threads without a transaction reach one and the same database, set outbox.jdbc.accept-routing=true."
						.formatted(transactions));
		}
		return dataSource;
	}

	// A proxy passes the question on, also one of a scope or of another library
	private static boolean isRouting(DataSource dataSource) {
		try {
			return dataSource.isWrapperFor(AbstractRoutingDataSource.class);
		}
		catch (SQLException | UnsupportedOperationException ex) {
			logger.debug("The DataSource does not say whether it is a wrapper", ex);
			return false;
		}
	}

}
