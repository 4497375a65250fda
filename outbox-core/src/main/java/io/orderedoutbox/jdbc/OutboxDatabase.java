/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc;

import java.time.Duration;
import java.util.function.Function;
import java.util.function.Supplier;

import javax.sql.DataSource;

import io.orderedoutbox.jdbc.connection.Connections;
import io.orderedoutbox.jdbc.connection.NoConnectionException;
import io.orderedoutbox.jdbc.connection.OwnSessions;
import io.orderedoutbox.jdbc.dialect.Dialect;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.QueryTimeoutException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.util.function.SingletonSupplier;

/**
 * The database of the outbox: its data source, what it speaks, and the statements for it.
 * Nothing connects before it must, so that an application can start while its database is
 * away.
 */
public final class OutboxDatabase {

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private final DataSource dataSource;

	private final JdbcTemplate jdbc;

	private final OwnSessions sessions;

	private final String tablePrefix;

	private final boolean archiving;

	private final Partitions partitions;

	private final Agreement agreement;

	private final OutboxDatabase background;

	// Which leads to the same server
	private final @Nullable OutboxDatabase origin;

	private volatile @Nullable Dialect dialect;

	private final Supplier<OutboxStatements> statements;

	private final Supplier<WriteStatements> writing;

	/**
	 * Create a database without an archive.
	 * @param dataSource its data source
	 * @param tablePrefix what the names of the tables begin with
	 */
	public OutboxDatabase(DataSource dataSource, String tablePrefix) {
		this(dataSource, tablePrefix, false, new Partitions());
	}

	/**
	 * Create a database.
	 * @param dataSource its data source
	 * @param tablePrefix what the names of the tables begin with
	 * @param archiving whether what was published is kept in the archive
	 * @param partitions its partitions
	 */
	public OutboxDatabase(DataSource dataSource, String tablePrefix, boolean archiving, Partitions partitions) {
		this(dataSource, tablePrefix, archiving, partitions, null, null);
	}

	private OutboxDatabase(DataSource dataSource, String tablePrefix, boolean archiving, Partitions partitions,
			@Nullable OutboxDatabase origin, @Nullable OutboxDatabase background) {
		OutboxSchema.requirePrefix(tablePrefix);
		this.dataSource = Connections.target(dataSource);
		this.jdbc = new JdbcTemplate(this.dataSource);
		this.sessions = new OwnSessions(this.dataSource);
		this.tablePrefix = tablePrefix;
		this.archiving = archiving;
		this.partitions = partitions;
		this.origin = origin;
		this.agreement = (origin != null) ? origin.agreement : new Agreement(this);
		this.background = (background != null) ? background : this;
		this.statements = SingletonSupplier.of(() -> new OutboxStatements(dialect(), tablePrefix));
		this.writing = SingletonSupplier.of(() -> new WriteStatements(dialect(), tablePrefix));
	}

	private OutboxDatabase on(DataSource other, @Nullable OutboxDatabase behind) {
		return new OutboxDatabase(other, this.tablePrefix, this.archiving, this.partitions, this, behind);
	}

	/**
	 * Return the same database with another data source for what runs in the background.
	 * @param background the data source, which leads to the same schema
	 * @return the database
	 */
	public OutboxDatabase withBackground(DataSource background) {
		return on(this.dataSource, on(background, null));
	}

	/**
	 * Return the same database as transactions on another data source reach it, which may
	 * lead to several databases. Without a transaction it must not be used.
	 * @param transactions the data source under which they bind a connection to it
	 * @return the database
	 */
	public OutboxDatabase inTransactionsOf(DataSource transactions) {
		return on(transactions, this.background);
	}

	/**
	 * Return the database as the relay and the tasks in the background reach it.
	 * @return the database, this one unless they have a data source of their own
	 */
	public OutboxDatabase background() {
		return this.background;
	}

	/**
	 * Return the same database for sessions that no other code of the thread is in: what
	 * uses the data source, or begins a transaction on it, gets another connection.
	 * @return a database with a data source in front of that of this one
	 */
	public OutboxDatabase apart() {
		return on(new DelegatingDataSource(this.dataSource), null);
	}

	/**
	 * Return the data source under which a transaction binds its connection.
	 * @return the data source, without a transaction-aware proxy around it
	 */
	public DataSource dataSource() {
		return this.dataSource;
	}

	/**
	 * Return a template that works in the transaction of the calling thread.
	 * @return the template
	 */
	public JdbcTemplate jdbc() {
		return this.jdbc;
	}

	/**
	 * Return what the names of the tables begin with.
	 * @return the prefix
	 */
	public String tablePrefix() {
		return this.tablePrefix;
	}

	/**
	 * Return whether what was published is kept in the archive.
	 * @return whether there is an archive
	 */
	public boolean isArchiving() {
		return this.archiving;
	}

	/**
	 * Return the partitions of the outbox.
	 * @return the partitions
	 */
	public Partitions partitions() {
		return this.partitions;
	}

	/**
	 * Return whether this instance agrees with the outbox and its other instances.
	 * @return the agreement
	 */
	public Agreement agreement() {
		return this.agreement;
	}

	/**
	 * Return whether transactions on a data source are transactions of this database.
	 * @param other the data source, which may be a transaction-aware proxy
	 * @return whether the connection is bound under the same data source
	 */
	public boolean isOn(DataSource other) {
		return Connections.target(other) == this.dataSource;
	}

	/**
	 * Read without locks, with any settings that the pool gives its connections: without
	 * auto-commit and at SERIALIZABLE a plain SELECT would lock what it reads. A host
	 * that has vanished from the network is waited for no longer than the patience lasts.
	 */
	public <T> T read(Duration patience, Function<JdbcTemplate, T> query) {
		return Connections.isBound(this.dataSource) ? query.apply(this.jdbc) : look(patience, query);
	}

	/**
	 * Read in the same way, but never in the transaction that the caller may be in. The
	 * session is as the application has set it: what a query returns must be numbers, or
	 * ASCII, and must not depend on that.
	 * @throws QueryTimeoutException if the server has given the query up
	 */
	public <T> T look(Duration patience, Function<JdbcTemplate, T> query) {
		return this.sessions.look(dialect(patience), patience, query);
	}

	/**
	 * Work on a connection of its own, in a session that gives up no statement within a
	 * minute.
	 * @throws NoConnectionException if there is no connection
	 */
	public <T> T work(Function<JdbcTemplate, T> work) {
		return this.sessions.work(dialect(), work);
	}

	/**
	 * Return what the database speaks. The first call asks it for its version.
	 * @return the dialect
	 */
	public Dialect dialect() {
		return dialect(PATIENCE);
	}

	private Dialect dialect(Duration patience) {
		if (this.origin != null) {
			return this.origin.dialect(patience);
		}
		Dialect known = this.dialect;
		if (known == null) {
			String version = Connections.isBound(this.dataSource) ? Dialect.version(this.jdbc)
					: this.sessions.first(patience, Dialect::version);
			known = Dialect.of(version);
			this.dialect = known;
		}
		return known;
	}

	/**
	 * Return the statements that relays and operators share.
	 * @return the statements
	 */
	public OutboxStatements statements() {
		return this.statements.get();
	}

	WriteStatements writing() {
		return this.writing.get();
	}

}
