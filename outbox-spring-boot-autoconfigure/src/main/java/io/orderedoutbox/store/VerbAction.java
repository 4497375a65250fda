package io.orderedoutbox.store;

import java.util.List;

import io.orderedoutbox.OperatorVerb;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * What a verb does to messages that it has locked.
 */
final class VerbAction {

	private final OperatorVerb verb;

	private final OutboxDatabase database;

	private final AdministrationStatements statements;

	private final boolean ordered;

	VerbAction(OperatorVerb verb, OutboxDatabase database, AdministrationStatements statements, boolean ordered) {
		this.verb = verb;
		this.database = database;
		this.statements = statements;
		this.ordered = ordered;
	}

	void act(JdbcTemplate jdbc, List<Target> targets) {
		OutboxStatements tables = this.database.statements();
		String ids = ids(targets);
		switch (this.verb) {
			case RETRY -> {
				jdbc.update(this.statements.retry, ids);
				jdbc.update(tables.strike, ids);
			}
			case SKIP -> {
				jdbc.update(tables.bury, ids);
				jdbc.update(tables.strike, ids);
				jdbc.update(tables.delete, ids);
			}
			case REQUEUE -> {
				if (this.ordered) {
					Stripes.lock(jdbc, this.database, targets.stream().map(Target::partitionKey).toList());
				}
				jdbc.update(this.statements.requeue, ids);
				jdbc.update(this.statements.discard, ids);
			}
			case DISCARD -> jdbc.update(this.statements.discard, ids);
		}
	}

	/**
	 * Whether the order among targets of the same key matters.
	 */
	boolean isBound(Target target) {
		return this.ordered && this.verb == OperatorVerb.REQUEUE && !target.partitionKey().isEmpty();
	}

	static String ids(List<Target> targets) {
		return targets.stream().map(Target::id).toList().toString();
	}

}
