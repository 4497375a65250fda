/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc;

import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.jdbc.dialect.SqlFragments;
import io.orderedoutbox.store.SendingJournal;

import static io.orderedoutbox.jdbc.dialect.SqlFragments.LOOK;

/**
 * The instances that use the outbox, whether they relay or only publish, in a table which
 * may be missing. An instance removes its row when it ends as it should; a row that is
 * left behind belongs to a process that did not. All times are those of the database.
 */
public final class JdbcInstances implements SendingJournal {

	private final OutboxDatabase database;

	private final OptionalTable table;

	private final Supplier<OutboxInstance> self;

	private final String id = UUID.randomUUID().toString();

	private final Duration silence;

	private final String remove;

	// What is in the row is not known: an earlier note failed
	private boolean isNoteStale;

	/**
	 * Create it.
	 * @param database the database of the outbox
	 * @param self this instance, as it is at the moment
	 * @param silence after what time without a sign of life another instance counts as
	 * ended; zero if this instance does not take part
	 */
	public JdbcInstances(OutboxDatabase database, Supplier<OutboxInstance> self, Duration silence) {
		this.database = database;
		this.table = new OptionalTable(database, "instance");
		this.self = self;
		this.silence = silence;
		this.remove = "DELETE FROM %s WHERE id = ?".formatted(this.table.name());
	}

	/**
	 * Return the name of the table.
	 * @return the name
	 */
	public String table() {
		return this.table.name();
	}

	/**
	 * Return the other instances that are there, as far as is known. One that was killed
	 * counts as there until it has been silent for long enough: two hosts may have the
	 * same name, so that what is seen of processes proves nothing.
	 * @return the instances, empty if there is no table
	 */
	public List<OutboxInstance> running() {
		return others().stream().filter((other) -> !isSilent(other)).map(Row::instance).toList();
	}

	private List<Row> others() {
		SqlFragments sql = sql();
		String others = LOOK + """
				%1$s AS host, o.pid, o.ordered, %2$s AS age, %3$s AS silence, o.sending,
				COALESCE(s.started_at < o.started_at OR (s.started_at = o.started_at AND s.id < o.id), FALSE) AS later
				FROM %4$s o LEFT JOIN %4$s s ON s.id = ? WHERE o.id <> ? ORDER BY o.started_at, o.id LIMIT 10000"""
			.formatted(sql.utf8("o.host"), sql.between("o.started_at", sql.now()),
					sql.between("o.heartbeat_at", sql.now()), this.table.name());
		List<Row> rows = this.table.read((jdbc) -> jdbc.query(others, JdbcInstances::row, this.id, this.id));
		return (rows != null) ? rows : List.of();
	}

	private static Row row(ResultSet rs, int index) throws SQLException {
		return new Row(
				new OutboxInstance(new String(rs.getBytes("host"), StandardCharsets.UTF_8), rs.getLong("pid"),
						rs.getBoolean("ordered"), Duration.of(rs.getLong("age"), ChronoUnit.MICROS)),
				Duration.of(rs.getLong("silence"), ChronoUnit.MICROS), rs.getString("sending"), rs.getBoolean("later"));
	}

	private boolean isSilent(Row other) {
		return other.silence.compareTo(this.silence) > 0;
	}

	private boolean hasEnded(Row other) {
		return isSilent(other) || other.instance.isSeenToHaveEnded(this.self.get());
	}

	/**
	 * Look whether this instance agrees with those that were there before it, and with
	 * the tables. While it does not, it publishes nothing and relays nothing.
	 * @return what was seen
	 */
	public InstanceDifferences findDifferences() {
		List<Row> different = different();
		Optional<String> otherOrder = different.stream()
			.map((row) -> differs(row.instance).getDescription())
			.findFirst();
		try {
			this.table.read((jdbc) -> {
				new PartitionCheck(this.database).run(jdbc);
				return true;
			});
			different.stream().filter((other) -> !other.later).findFirst().ifPresent((other) -> {
				throw differs(other.instance);
			});
			this.database.agreement().agree();
			return new InstanceDifferences(otherOrder, Optional.empty());
		}
		catch (OutboxConfigurationException ex) {
			this.database.agreement().refuse(ex);
			return new InstanceDifferences(otherOrder, Optional.of(ex.getDescription()));
		}
	}

	private List<Row> different() {
		boolean ordered = this.self.get().ordered();
		return others().stream().filter((other) -> !isSilent(other) && other.instance.ordered() != ordered).toList();
	}

	/**
	 * Refuse to be an instance beside others that keep another order.
	 * @throws OutboxConfigurationException if there are such instances
	 */
	public void requireSameOrder() {
		different().stream().findFirst().ifPresent((other) -> {
			throw differs(other.instance);
		});
	}

	private OutboxConfigurationException differs(OutboxInstance other) {
		return new OutboxConfigurationException(
				"This instance has outbox.ordered=%s, but %s has outbox.ordered=%s for the same outbox."
					.formatted(!other.ordered(), other, other.ordered()),
				"Give all instances the same value. To change it, stop all of them first: see docs/migration.md. One that was killed counts as stopped after %d seconds."
					.formatted(this.silence.toSeconds()));
	}

	/**
	 * Say that this instance is there.
	 * @return whether there is a table for it
	 */
	public synchronized boolean write() {
		boolean written = update(this.isNoteStale, "");
		this.isNoteStale &= !written;
		return written;
	}

	private boolean update(boolean isNote, String sending) {
		SqlFragments sql = sql();
		// One that was taken for ended has come after those that have gone on without it
		String wasSilent = "%s.heartbeat_at < %s".formatted(this.table.name(),
				sql.after("-" + this.silence.toNanos() / 1_000, sql.now()));
		Stream<String> startedAt = Stream
			.of("started_at = " + SqlFragments.choose(wasSilent, sql.now(), this.table.name() + ".started_at"));
		Stream<String> columns = Stream.of("heartbeat_at", "sending")
			.limit(isNote ? 2 : 1)
			.map((column) -> column + " = " + sql.inserted(column));
		String[] changes = Stream.concat(startedAt, columns).toArray(String[]::new);
		String statement = sql.insertOrUpdate(this.table.name(),
				"id, host, pid, ordered, started_at, heartbeat_at, sending",
				"VALUES (?, %s, ?, ?, %s, %s, ?)".formatted(sql.textOfColumn(), sql.after("?", sql.now()), sql.now()),
				"id", changes);
		OutboxInstance now = this.self.get();
		// One that was not seen for so long has not come before those that were
		Duration age = (now.uptime().compareTo(this.silence) <= 0) ? now.uptime() : Duration.ZERO;
		return this.table.update(statement, this.id, sql.encoded(now.host()), now.pid(), now.ordered(),
				-age.toNanos() / 1_000, sending);
	}

	/**
	 * Remove this instance.
	 */
	public void remove() {
		this.table.update(this.remove, this.id);
	}

	/**
	 * Remove instances that have been silent for long.
	 * @param longest for how long
	 */
	public void removeSilent(Duration longest) {
		SqlFragments sql = sql();
		this.table.update("DELETE FROM %s WHERE heartbeat_at < %s %s".formatted(this.table.name(),
				sql.after("?", sql.now()), sql.limitOfChange()), -longest.toNanos() / 1_000);
	}

	@Override
	public List<Set<Long>> left() {
		if (this.silence.isZero()) {
			return List.of();
		}
		write();
		return others().stream().filter(this::hasEnded).map(Row::positions).toList();
	}

	@Override
	public synchronized void note(Collection<Long> positions) {
		this.isNoteStale = true;
		this.isNoteStale = !update(true, positions.stream().map(String::valueOf).collect(Collectors.joining(",")));
	}

	@Override
	public boolean forget(long position) {
		String forget = "UPDATE %s SET sending = '' WHERE sending = ? %s".formatted(this.table.name(),
				sql().limitOfChange());
		Integer known = this.table.change(forget, String.valueOf(position));
		return known != null && known > 0;
	}

	// Not before it is asked for something: the database may have to say what it speaks
	private SqlFragments sql() {
		return this.database.dialect().sql();
	}

	private record Row(OutboxInstance instance, Duration silence, String sending, boolean later) {

		Set<Long> positions() {
			return Arrays.stream(this.sending.split(","))
				.filter((position) -> !position.isEmpty())
				.map(Long::valueOf)
				.collect(Collectors.toSet());
		}

	}

}
