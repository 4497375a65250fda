/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.admin;

import java.time.Duration;
import java.util.Iterator;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.admin.ArchiveReplay;
import io.orderedoutbox.admin.FailureGroups;
import io.orderedoutbox.admin.MessageContent;
import io.orderedoutbox.admin.MessageExport;
import io.orderedoutbox.admin.MessageSelection;
import io.orderedoutbox.admin.MessageSelection.By;
import io.orderedoutbox.admin.MessageState;
import io.orderedoutbox.admin.OperatorJournal;
import io.orderedoutbox.admin.OperatorVerb;
import io.orderedoutbox.admin.OutboxAdministration;
import io.orderedoutbox.admin.OutboxFigures;
import io.orderedoutbox.admin.OutboxPage;
import io.orderedoutbox.admin.Pace;
import io.orderedoutbox.admin.Reroute;
import io.orderedoutbox.admin.TimeRange;
import io.orderedoutbox.admin.VerbResult;
import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.jdbc.OwnTransactions;
import io.orderedoutbox.jdbc.backlog.BacklogStatements;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;
import org.springframework.util.function.SingletonSupplier;

/**
 * {@link OutboxAdministration} on the tables of the outbox. Verbs take part in the
 * protocol of the relays: a transaction that has locked the row of a partition owns the
 * keys of the partition. How a verb goes about it: {@link VerbRun}.
 */
public final class JdbcOutboxAdministration implements OutboxAdministration {

	private static final Duration PATIENCE = Duration.ofSeconds(5);

	private final OutboxDatabase database;

	private final Consumer<Set<Integer>> wake;

	private final OperatorJournal journal;

	private final OwnTransactions transactions;

	private final OwnTransactions looks;

	// Each of these asks the database for its version, the first time
	private final Supplier<InspectionStatements> inspection;

	private final Supplier<BacklogStatements> backlog;

	private final @Nullable Supplier<ArchiveStatements> archive;

	private final VerbRuns runs;

	/**
	 * Create an administration that does not know who its operators are.
	 * @param database the database of the outbox
	 * @param ordered whether the order of each partition key is kept
	 * @param wake is told, after a commit, of partitions in which messages may have
	 * become due
	 */
	public JdbcOutboxAdministration(OutboxDatabase database, boolean ordered, Consumer<Set<Integer>> wake) {
		this(database, ordered, wake, OperatorJournal.OF_NOBODY);
	}

	/**
	 * Create an administration.
	 * @param database the database of the outbox
	 * @param ordered whether the order of each partition key is kept
	 * @param wake is told, after a commit, of partitions in which messages may have
	 * become due
	 * @param journal is told what operators do
	 */
	public JdbcOutboxAdministration(OutboxDatabase database, boolean ordered, Consumer<Set<Integer>> wake,
			OperatorJournal journal) {
		this.journal = journal;
		this.database = database;
		this.wake = wake;
		this.transactions = new OwnTransactions(database);
		this.runs = new VerbRuns(database, ordered, this.transactions);
		this.looks = new OwnTransactions(database, PATIENCE);
		this.inspection = SingletonSupplier.of(() -> new InspectionStatements(database, ordered));
		this.backlog = SingletonSupplier.of(() -> new BacklogStatements(database));
		this.archive = database.isArchiving()
				? SingletonSupplier.of(() -> new ArchiveStatements(database.dialect().sql(), database.tablePrefix()))
				: null;
	}

	@Override
	public boolean hasArchive() {
		return this.archive != null;
	}

	@Override
	public OutboxPage list(MessageState state, MessageSelection selection, TimeRange range, @Nullable String after,
			int size) {
		requireListed(state, selection);
		long position = (after != null) ? position(after) : (state == MessageState.ARCHIVED) ? Long.MAX_VALUE : 0;
		Assert.isTrue(size >= 1 && size <= MAX_PAGE_SIZE,
				() -> "'size' must be between 1 and %d, but is %d".formatted(MAX_PAGE_SIZE, size));
		return inspect((inspection) -> inspection.list(state, selection, range, position, size));
	}

	private void requireListed(MessageState state, MessageSelection selection) {
		boolean isFailed = state == MessageState.STALLED || state == MessageState.BLOCKED || state == MessageState.DEAD;
		Assert.isTrue(isFailed || selection.by() != By.GROUP,
				() -> "A group consists of messages that have failed: the state must be stalled, blocked or dead, but is "
						+ state.name().toLowerCase(Locale.ROOT));
		if (state == MessageState.ARCHIVED) {
			requireArchive();
		}
	}

	@Override
	public Iterator<MessageContent> export(MessageExport export) {
		requireListed(export.state(), export.selection());
		boolean isStored = export.state() == MessageState.DEAD || export.state() == MessageState.ARCHIVED;
		return new Export(export, () -> isStored ? new StoredParts(this.transactions, this.database, export)
				: new WaitingParts(this.looks, this.database, this.inspection.get(), export));
	}

	private ArchiveReplay requiringArchive(ArchiveReplay replay) {
		requireArchive();
		return replay;
	}

	private void requireArchive() {
		if (!hasArchive()) {
			throw new OutboxConfigurationException("There is no archive: what is published is not kept.",
					"Set outbox.archive.enabled=true on this instance and on those that relay.");
		}
	}

	private static long position(String cursor) {
		try {
			return Long.parseLong(cursor);
		}
		catch (NumberFormatException ex) {
			throw new IllegalArgumentException(
					"'after' must be where another page ended, but is '%s'".formatted(cursor), ex);
		}
	}

	@Override
	public Optional<MessageContent> find(String messageId, int payloadBytes) {
		String id = MessageSelection.message(messageId).value();
		return inspect((inspection) -> inspection.find(id, payloadBytes));
	}

	@Override
	public FailureGroups groups(TimeRange range) {
		return this.looks.read((jdbc) -> new FailureLook(jdbc, this.inspection.get()).groups(range));
	}

	@Override
	public OutboxFigures figures() {
		return inspect((inspection) -> inspection.figures(this.backlog.get()));
	}

	private <T> T inspect(Function<Inspection, T> look) {
		return this.looks.read((jdbc) -> look.apply(new Inspection(jdbc, this.database, this.inspection.get(),
				(this.archive != null) ? this.archive.get() : null)));
	}

	@Override
	public VerbResult apply(OperatorVerb verb, MessageSelection selection) {
		return apply(this.runs.of(verb, selection), verb.name(), selection.toString(), new Pace(0));
	}

	@Override
	public VerbResult reroute(MessageSelection selection, Reroute reroute) {
		return apply(this.runs.of(selection, reroute), "REROUTE", selection + " " + reroute, new Pace(0));
	}

	@Override
	public VerbResult replay(ArchiveReplay replay) {
		return apply(this.runs.of(requiringArchive(replay)), "REPLAY", replay.toString(), new Pace(replay.perSecond()));
	}

	private VerbResult apply(VerbRun run, String verb, String selection, Pace pace) {
		try {
			run.run(true, (partitions) -> {
				this.wake.accept(partitions);
				pace.await(run.result().affected());
			});
		}
		catch (RuntimeException | Error ex) {
			this.journal.failed(verb, selection, run.result(), ex);
			throw ex;
		}
		VerbResult result = run.result();
		this.journal.applied(verb, selection, result);
		return result;
	}

	@Override
	public VerbResult dryRun(OperatorVerb verb, MessageSelection selection) {
		return dryRun(this.runs.of(verb, selection));
	}

	@Override
	public VerbResult dryRun(MessageSelection selection, Reroute reroute) {
		return dryRun(this.runs.of(selection, reroute));
	}

	@Override
	public VerbResult dryRun(ArchiveReplay replay) {
		return dryRun(this.runs.of(requiringArchive(replay)));
	}

	private static VerbResult dryRun(VerbRun run) {
		run.run(false, (partitions) -> {
		});
		return run.result();
	}

}
