/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.admin;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;

import io.orderedoutbox.admin.VerbResult;
import io.orderedoutbox.jdbc.OwnTransactions;

/**
 * One call of a verb.
 * <ol>
 * <li>Note the time, by the clock of the database: the call does not touch what fails or
 * dies later, perhaps because of it.</li>
 * <li>Look at the next few hundred targets, without locks, in the order of their
 * positions. Divide them into chunks, each for a transaction of its own; a transaction
 * takes a few partitions only.</li>
 * <li>Lock the targets of a chunk. Messages that are stuck are locked by their
 * partitions, as relays do it, and the verb waits for these a few seconds. Dead letters
 * that another operator has locked are passed over at once.</li>
 * <li>Verify, in a new statement, that what is locked is still what it was: the head of
 * its key, and stuck, or a dead letter.</li>
 * <li>Change it, and commit; in a dry run, only let go. Then tell the relay of this
 * instance in which partitions something may have become due.</li>
 * </ol>
 */
final class VerbRun {

	private static final int PAGE = 500;

	private final OwnTransactions transactions;

	private final String now;

	private final List<VerbTargets> targets;

	private final List<String> messageIds = new ArrayList<>();

	private long affected;

	private long passedOver;

	VerbRun(OwnTransactions transactions, AdministrationStatements statements, VerbTargets... targets) {
		this.transactions = transactions;
		this.now = statements.now;
		this.targets = List.of(targets);
	}

	/**
	 * Do it.
	 * @param commit whether to commit what is done, or only to find out
	 * @param afterCommit is told, after each transaction, of partitions in which messages
	 * may have become due
	 */
	void run(boolean commit, Consumer<Set<Integer>> afterCommit) {
		this.targets.forEach((targets) -> run(targets, commit, afterCommit));
	}

	private void run(VerbTargets targets, boolean commit, Consumer<Set<Integer>> afterCommit) {
		String began = this.transactions
			.read((jdbc) -> Objects.requireNonNull(jdbc.queryForObject(this.now, String.class)));
		long after = 0;
		List<VerbTarget> page;
		do {
			page = next(targets, began, after);
			for (List<VerbTarget> chunk : targets.divide(page)) {
				Set<Integer> partitions = run(targets, chunk, began, commit);
				if (!partitions.isEmpty()) {
					afterCommit.accept(partitions);
				}
			}
			after = page.isEmpty() ? after : page.get(page.size() - 1).position();
		}
		while (!page.isEmpty());
	}

	private List<VerbTarget> next(VerbTargets targets, String began, long after) {
		return this.transactions.read((jdbc) -> targets.next(jdbc, began, after, PAGE));
	}

	private Set<Integer> run(VerbTargets targets, List<VerbTarget> chunk, String began, boolean commit) {
		Change change = this.transactions.run(commit, (jdbc) -> {
			LockedTargets locked = targets.lock(jdbc, chunk, began);
			boolean toChange = commit && !locked.targets().isEmpty();
			return new Change(locked, toChange ? targets.change(jdbc, locked.targets()) : Set.of());
		});
		this.affected += change.locked().targets().size();
		this.passedOver += change.locked().passedOver();
		change.locked()
			.targets()
			.stream()
			.limit(VerbResult.MAX_IDS - this.messageIds.size())
			.map(VerbTarget::messageId)
			.forEach(this.messageIds::add);
		return change.partitions();
	}

	VerbResult result() {
		return new VerbResult(this.affected, this.passedOver, this.messageIds);
	}

	/**
	 * What a transaction has done.
	 *
	 * @param locked what it has locked
	 * @param partitions in which messages may have become due
	 */
	private record Change(LockedTargets locked, Set<Integer> partitions) {

	}

}
