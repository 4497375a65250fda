package io.orderedoutbox.store;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import io.orderedoutbox.VerbResult;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowMapper;

/**
 * One call of a verb.
 * <ol>
 * <li>Note the time, by the clock of the database: what fails or dies later, perhaps
 * because of us, is none of our business.</li>
 * <li>Look at the next few hundred targets, without locks, in the order of their
 * positions. Divide them into chunks, each for a transaction of its own.</li>
 * <li>Lock the targets of a chunk, skipping those that somebody else has locked: a relay
 * has them in its hands, or another operator.</li>
 * <li>Verify, in a new statement, that what is locked still is the head of its key and
 * still failed. What is behind a target that was skipped, of the same key, is left alone
 * as well: together they would change places.</li>
 * <li>Act, and commit; in a dry run, only let go.</li>
 * </ol>
 */
final class VerbRun {

	private static final int PAGE = 500;

	private static final RowMapper<Target> TARGET = (rs, index) -> new Target(rs.getLong("id"),
			rs.getString("message_id"), rs.getString("partition_key"), rs.getLong("bytes"));

	private final OwnTransactions transactions;

	private final AdministrationStatements statements;

	private final Aim aim;

	private final VerbAction action;

	private final Set<String> heldKeys = new HashSet<>();

	private final List<String> messageIds = new ArrayList<>();

	private long affected;

	private long passedOver;

	VerbRun(OwnTransactions transactions, AdministrationStatements statements, Aim aim, VerbAction action) {
		this.transactions = transactions;
		this.statements = statements;
		this.aim = aim;
		this.action = action;
	}

	/**
	 * Do it.
	 * @param commit whether to commit what is done, or only to find out
	 * @param afterCommit is run after each transaction that has changed something
	 */
	void run(boolean commit, Runnable afterCommit) {
		String began = this.transactions
			.read((jdbc) -> Objects.requireNonNull(jdbc.queryForObject(this.statements.now, String.class)));
		long after = 0;
		List<Target> page;
		do {
			page = look(began, after);
			for (List<Target> chunk : Target.chunks(page)) {
				Grip grip = this.transactions.run(commit, (jdbc) -> {
					Grip taken = take(jdbc, chunk, began);
					if (commit && !taken.targets().isEmpty()) {
						this.action.act(jdbc, taken.targets());
					}
					return taken;
				});
				count(grip);
				if (commit && !grip.targets().isEmpty()) {
					afterCommit.run();
				}
				after = chunk.get(chunk.size() - 1).id();
			}
		}
		while (page.size() == PAGE);
	}

	VerbResult result() {
		return new VerbResult(this.affected, this.passedOver, this.messageIds);
	}

	private List<Target> look(String began, long after) {
		List<Object> arguments = new ArrayList<>(List.of(after, began));
		arguments.addAll(this.aim.value());
		arguments.add(PAGE);
		return this.transactions.read((jdbc) -> jdbc.query(this.aim.look(), TARGET, arguments.toArray()));
	}

	private Grip take(JdbcTemplate jdbc, List<Target> chunk, String began) {
		Set<Long> locked = ids(jdbc, this.aim.lock(), chunk);
		Set<Long> verified = ids(jdbc, this.aim.verify(),
				chunk.stream().filter((target) -> locked.contains(target.id())).toList(), began);
		Set<Long> held = ids(jdbc, this.aim.there(),
				chunk.stream().filter((target) -> !locked.contains(target.id())).toList());
		Set<String> keys = new HashSet<>();
		List<Target> targets = new ArrayList<>();
		long leftAlone = 0;
		for (Target target : chunk) {
			boolean behindHeld = keys.contains(target.partitionKey()) || this.heldKeys.contains(target.partitionKey());
			if (held.contains(target.id()) || (behindHeld && verified.contains(target.id()))) {
				leftAlone++;
				if (this.action.isBound(target)) {
					keys.add(target.partitionKey());
				}
			}
			else if (verified.contains(target.id())) {
				targets.add(target);
			}
		}
		return new Grip(targets, keys, leftAlone);
	}

	private static Set<Long> ids(JdbcTemplate jdbc, String statement, List<Target> targets, Object... more) {
		if (targets.isEmpty()) {
			return Set.of();
		}
		List<Object> arguments = new ArrayList<>();
		arguments.add(VerbAction.ids(targets));
		arguments.addAll(List.of(more));
		return new HashSet<>(jdbc.queryForList(statement, Long.class, arguments.toArray()));
	}

	private void count(Grip grip) {
		this.heldKeys.addAll(grip.heldKeys());
		this.affected += grip.targets().size();
		this.passedOver += grip.leftAlone();
		grip.targets()
			.stream()
			.limit(VerbResult.MAX_IDS - this.messageIds.size())
			.map(Target::messageId)
			.forEach(this.messageIds::add);
	}

	/**
	 * What was got hold of, and what was not.
	 */
	private record Grip(List<Target> targets, Set<String> heldKeys, long leftAlone) {

	}

}
