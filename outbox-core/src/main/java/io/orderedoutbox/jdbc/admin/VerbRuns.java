/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.admin;

import io.orderedoutbox.admin.ArchiveReplay;
import io.orderedoutbox.admin.MessageSelection;
import io.orderedoutbox.admin.MessageSelection.By;
import io.orderedoutbox.admin.OperatorVerb;
import io.orderedoutbox.admin.Reroute;
import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.jdbc.OwnTransactions;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * Makes the calls of verbs: each knows what it is about.
 */
final class VerbRuns {

	private final OutboxDatabase database;

	private final boolean ordered;

	private final OwnTransactions transactions;

	private volatile @Nullable AdministrationStatements statements;

	VerbRuns(OutboxDatabase database, boolean ordered, OwnTransactions transactions) {
		this.database = database;
		this.ordered = ordered;
		this.transactions = transactions;
	}

	VerbRun of(OperatorVerb verb, MessageSelection selection) {
		AdministrationStatements statements = statements();
		VerbTargets targets = switch (verb) {
			case RELEASE -> released(statements, selection);
			case RETRY, SKIP -> new StuckTargets(this.database, statements, verb, selection);
			case REQUEUE, DISCARD ->
				new DeadLetterTargets(new Tails(this.database, this.ordered), statements, verb, selection);
		};
		return new VerbRun(this.transactions, statements, targets);
	}

	private VerbTargets released(AdministrationStatements statements, MessageSelection selection) {
		Assert.isTrue(selection.by() != By.GROUP,
				"A group of failures cannot be released: what is delayed has not failed");
		return new ChangedMessages(this.database, statements, MessageChange.release(this.database, selection));
	}

	// Messages first: one that becomes a dead letter meanwhile is found among these
	VerbRun of(MessageSelection selection, Reroute reroute) {
		// It has those that have failed, and not those that wait behind them
		Assert.isTrue(selection.by() != By.GROUP,
				"A group of failures cannot be rerouted: say by 'exchange' and 'routingKey' where the messages go so far, which means those that wait behind them as well");
		AdministrationStatements statements = statements();
		RerouteStatements rerouting = new RerouteStatements(this.database, selection, reroute);
		return new VerbRun(this.transactions, statements,
				new ChangedMessages(this.database, statements, rerouting.messages),
				new ReroutedLetters(statements, rerouting));
	}

	VerbRun of(ArchiveReplay replay) {
		return new VerbRun(this.transactions, statements(), new ArchiveTargets(this.database, this.ordered, replay));
	}

	// Asks the database for its version, the first time
	private AdministrationStatements statements() {
		AdministrationStatements known = this.statements;
		if (known == null) {
			known = new AdministrationStatements(this.database, this.ordered);
			this.statements = known;
		}
		return known;
	}

}
