package io.orderedoutbox.jdbc.admin;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import io.orderedoutbox.admin.MessageSelection;
import io.orderedoutbox.admin.OperatorVerb;
import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.jdbc.SqlFragments;
import io.orderedoutbox.jdbc.Stripes;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Dead letters, to be requeued or discarded.
 * <p>
 * A requeue writes as an application does: it locks the stripes of the partitions first.
 * Dead letters of a key that are behind one that another operator has locked are not
 * requeued, because they would change places with it.
 */
final class DeadLetterTargets implements VerbTargets {

	// Of messages that go to any partition
	private static final int ANY = -1;

	private final OutboxDatabase database;

	private final AdministrationStatements statements;

	private final boolean ordered;

	private final boolean requeue;

	private final MessageSelection selection;

	private final Set<String> passedOverKeys = new HashSet<>();

	DeadLetterTargets(OutboxDatabase database, AdministrationStatements statements, boolean ordered, OperatorVerb verb,
			MessageSelection selection) {
		this.database = database;
		this.statements = statements;
		this.ordered = ordered;
		this.requeue = verb == OperatorVerb.REQUEUE;
		this.selection = selection;
	}

	private VerbTarget target(ResultSet rs, int index) throws SQLException {
		return new VerbTarget(rs.getLong("id"), rs.getLong("id"), partition(rs.getString("partition_key")),
				rs.getString("message_id"), rs.getString("partition_key"), rs.getLong("bytes"),
				SelectionFragments.failure(this.selection, rs));
	}

	private int partition(String partitionKey) {
		return (this.ordered && !partitionKey.isEmpty()) ? this.database.partitions().of(partitionKey) : ANY;
	}

	@Override
	public List<VerbTarget> next(JdbcTemplate jdbc, String began, long after, int limit) {
		return VerbTarget.selected(this.selection, limit, after,
				(from) -> jdbc.query(this.statements.nextDeadLetters(this.selection), this::target,
						SelectionFragments.arguments(this.selection, limit, from, began)));
	}

	@Override
	public List<List<VerbTarget>> divide(List<VerbTarget> targets) {
		return VerbTarget.chunks(targets, Integer.MAX_VALUE);
	}

	@Override
	public LockedTargets lock(JdbcTemplate jdbc, List<VerbTarget> targets, String began) {
		String ids = VerbTarget.ids(targets);
		Set<Long> locked = new HashSet<>(jdbc.queryForList(this.statements.lockDeadLetters, Long.class, ids));
		Set<Long> dead = new HashSet<>(jdbc.queryForList(this.statements.verifyDeadLetters, Long.class, ids, began));
		List<VerbTarget> taken = new ArrayList<>();
		for (VerbTarget target : targets.stream().filter((target) -> dead.contains(target.id())).toList()) {
			if (locked.contains(target.id()) && !this.passedOverKeys.contains(target.partitionKey())) {
				taken.add(target);
			}
			else if (this.requeue && target.partition() != ANY) {
				this.passedOverKeys.add(target.partitionKey());
			}
		}
		return new LockedTargets(taken, dead.size() - taken.size());
	}

	@Override
	public Set<Integer> change(JdbcTemplate jdbc, List<VerbTarget> targets) {
		Set<Integer> partitions = Set.of();
		if (this.requeue) {
			Map<Long, Integer> lanes = new TreeMap<>();
			partitions = lockStripes(jdbc, targets);
			int any = partitions.iterator().next();
			targets.forEach((target) -> lanes.put(target.id(), (target.partition() != ANY) ? target.partition() : any));
			jdbc.update(this.statements.requeue,
					lanes.entrySet()
						.stream()
						.map((lane) -> SqlFragments.place(lane.getValue(), lane.getKey()))
						.toList()
						.toString());
		}
		jdbc.update(this.statements.discard, VerbTarget.ids(targets));
		return partitions;
	}

	private Set<Integer> lockStripes(JdbcTemplate jdbc, List<VerbTarget> targets) {
		Stripes stripes = new Stripes(jdbc, this.database);
		Set<Integer> partitions = new HashSet<>();
		targets.stream().map(VerbTarget::partition).filter((partition) -> partition != ANY).forEach(partitions::add);
		if (partitions.isEmpty()) {
			return Set.of(stripes.lockAny());
		}
		stripes.lock(partitions);
		return partitions;
	}

}
