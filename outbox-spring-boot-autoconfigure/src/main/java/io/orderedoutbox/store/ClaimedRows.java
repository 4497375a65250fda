package io.orderedoutbox.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowCallbackHandler;

/**
 * Locks and reads the rows of a claim, in the transaction of the claim; or reads them
 * ahead of it, without one.
 */
final class ClaimedRows {

	// From here on a statement of its own is less than it saves, also where the database
	// is half a millisecond away
	private static final int WORTH_A_STATEMENT = 500;

	private final JdbcTemplate jdbc;

	private final OutboxStatements statements;

	private final Map<Long, StoredMessage> messages = new HashMap<>();

	private final Set<Long> failedBefore = new HashSet<>();

	ClaimedRows(JdbcTemplate jdbc, OutboxStatements statements) {
		this.jdbc = jdbc;
		this.statements = statements;
	}

	/**
	 * Lock those of the given positions that are due and free.
	 * @param limit how many to lock, the first of those that can be locked
	 * @return what was locked
	 */
	Set<Long> lock(List<Long> positions, int limit) {
		Set<Long> locked = new HashSet<>();
		query(this.statements.stretches.lock, this.statements.lock, positions, limit,
				(row) -> locked.add(row.getLong(1)));
		return locked;
	}

	/**
	 * The same, and read what is locked.
	 */
	Set<Long> lockAndLoad(List<Long> positions, int limit) {
		Set<Long> locked = new HashSet<>();
		query(this.statements.stretches.lockAndLoad, this.statements.lockAndLoad, positions, limit,
				(row) -> locked.add(read(row).id()));
		return locked;
	}

	/**
	 * Those of the given positions that are the oldest of their keys.
	 */
	Set<Long> verify(List<Long> heads) {
		return new HashSet<>(this.jdbc.queryForList(this.statements.verify, Long.class, heads.toString()));
	}

	/**
	 * Read what has not been read yet.
	 */
	void load(Collection<Candidate> candidates) {
		List<Long> missing = candidates.stream()
			.flatMap((run) -> run.rows().stream())
			.map(Row::id)
			.filter((id) -> !this.messages.containsKey(id))
			.toList();
		query(this.statements.stretches.load, this.statements.load, missing, missing.size(), this::read);
	}

	/**
	 * Whether all of a run was read.
	 */
	boolean isOf(Candidate run) {
		return run.rows().stream().allMatch((row) -> this.messages.containsKey(row.id()));
	}

	/**
	 * Take over what was read of a run before its head was locked, unless somebody has
	 * had it in between. What is known of the head, which was locked, is newer.
	 */
	void takeOver(Candidate run, ClaimedRows before) {
		List<Long> behind = run.rows().stream().skip(1).map(Row::id).toList();
		if (!behind.isEmpty() && isUntouched(run)) {
			behind.forEach((id) -> this.messages.put(id, Objects.requireNonNull(before.messages.get(id))));
		}
	}

	private boolean isUntouched(Candidate run) {
		Object[] arguments = { run.head().partitionKey(), run.head().id(), run.lastId(), run.rows().size(),
				run.head().id() + 1, run.lastId() };
		return Boolean.TRUE.equals(this.jdbc.queryForObject(this.statements.isUntouched, Boolean.class, arguments));
	}

	// Stretches are for who wants them all: from several statements the first that can be
	// locked would not be known
	private void query(String stretches, String list, List<Long> positions, int limit, RowCallbackHandler rows) {
		Positions parts = (limit < positions.size()) ? new Positions(List.of(), positions)
				: Positions.of(positions, this.statements.dialect(), WORTH_A_STATEMENT);
		for (Stretch stretch : parts.stretches()) {
			this.jdbc.query(stretches, rows, stretch.first(), stretch.last(), stretch.length());
		}
		if (!parts.others().isEmpty()) {
			this.jdbc.query(list, rows, parts.others().toString(), limit);
		}
	}

	private StoredMessage read(ResultSet row) throws SQLException {
		StoredMessage message = StoredMessageRowMapper.INSTANCE.mapRow(row, 0);
		this.messages.put(message.id(), message);
		if (StoredMessageRowMapper.hasFailedBefore(row)) {
			this.failedBefore.add(message.id());
		}
		return message;
	}

	/**
	 * The content of a run, as far as it is still there.
	 */
	List<StoredMessage> content(Candidate run) {
		return run.rows().stream().map((row) -> this.messages.get(row.id())).filter(Objects::nonNull).toList();
	}

	/**
	 * Of what was read, the positions of what is on the list of what has failed.
	 */
	Set<Long> failedBefore() {
		return this.failedBefore;
	}

}
