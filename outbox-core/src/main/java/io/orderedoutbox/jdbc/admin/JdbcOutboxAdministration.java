package io.orderedoutbox.jdbc.admin;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.admin.FailureGroups;
import io.orderedoutbox.admin.MessageContent;
import io.orderedoutbox.admin.MessageSelection;
import io.orderedoutbox.admin.MessageSelection.By;
import io.orderedoutbox.admin.MessageState;
import io.orderedoutbox.admin.OperatorVerb;
import io.orderedoutbox.admin.OutboxAdministration;
import io.orderedoutbox.admin.OutboxFigures;
import io.orderedoutbox.admin.OutboxPage;
import io.orderedoutbox.admin.Reroute;
import io.orderedoutbox.admin.VerbResult;
import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.jdbc.OwnTransactions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.util.Assert;

/**
 * {@link OutboxAdministration} on the tables of the outbox. Verbs take part in the
 * protocol of the relays: a transaction that has locked the row of a partition owns the
 * keys of the partition. How a verb goes about it: {@link VerbRun}.
 */
public final class JdbcOutboxAdministration implements OutboxAdministration {

	private static final Logger logger = LoggerFactory.getLogger(JdbcOutboxAdministration.class);

	private static final Duration PATIENCE = Duration.ofSeconds(5);

	private final OutboxDatabase database;

	private final boolean ordered;

	private final Consumer<Set<Integer>> wake;

	private final OwnTransactions transactions;

	private final OwnTransactions looks;

	private final InspectionStatements inspection;

	private final BacklogStatements backlog;

	private final @Nullable ArchiveStatements archive;

	private volatile @Nullable AdministrationStatements administration;

	/**
	 * Create an administration.
	 * @param database the database of the outbox
	 * @param ordered whether the order of each partition key is kept
	 * @param wake is told, after a commit, of partitions in which messages may have
	 * become due
	 */
	public JdbcOutboxAdministration(OutboxDatabase database, boolean ordered, Consumer<Set<Integer>> wake) {
		this.database = database;
		this.ordered = ordered;
		this.wake = wake;
		this.transactions = new OwnTransactions(database);
		this.looks = new OwnTransactions(database, PATIENCE);
		this.inspection = new InspectionStatements(database, ordered);
		this.backlog = new BacklogStatements(database.tablePrefix());
		this.archive = database.isArchiving() ? new ArchiveStatements(database.tablePrefix()) : null;
	}

	@Override
	public boolean hasArchive() {
		return this.archive != null;
	}

	@Override
	public OutboxPage list(MessageState state, MessageSelection selection, @Nullable String after, int size) {
		boolean isFailed = state == MessageState.STALLED || state == MessageState.BLOCKED || state == MessageState.DEAD;
		Assert.isTrue(isFailed || selection.by() != By.GROUP,
				() -> "A group consists of messages that have failed: the state must be stalled, blocked or dead, but is "
						+ state.name().toLowerCase(Locale.ROOT));
		if (state == MessageState.ARCHIVED && !hasArchive()) {
			throw new OutboxConfigurationException("There is no archive: what is published is not kept.",
					"Set outbox.archive.enabled=true on this instance and on those that relay.");
		}
		long position = (after != null) ? position(after) : (state == MessageState.ARCHIVED) ? Long.MAX_VALUE : 0;
		Assert.isTrue(size >= 1 && size <= MAX_PAGE_SIZE,
				() -> "'size' must be between 1 and %d, but is %d".formatted(MAX_PAGE_SIZE, size));
		return inspect((inspection) -> inspection.list(state, selection, position, size));
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
	public FailureGroups groups() {
		return this.looks.read((jdbc) -> new FailureLook(jdbc, this.inspection).groups());
	}

	@Override
	public OutboxFigures figures() {
		return inspect((inspection) -> inspection.figures(this.backlog));
	}

	private <T> T inspect(Function<Inspection, T> look) {
		return this.looks.read(
				(jdbc) -> look.apply(new Inspection(jdbc, this.inspection, this.database.partitions(), this.archive)));
	}

	@Override
	public VerbResult apply(OperatorVerb verb, MessageSelection selection) {
		return apply(run(verb, selection), verb.name(), selection.toString());
	}

	@Override
	public VerbResult reroute(MessageSelection selection, Reroute reroute) {
		return apply(run(selection, reroute), "REROUTE", selection + " " + reroute);
	}

	private VerbResult apply(VerbRun run, String verb, String selection) {
		try {
			run.run(true, this.wake);
		}
		catch (RuntimeException | Error ex) {
			logger.atWarn()
				.addKeyValue("verb", verb)
				.addKeyValue("selection", selection)
				.addKeyValue("affected", run.result().affected())
				.addKeyValue("error", ex.toString())
				.log("Outbox {} of {} has failed after {} message(s): these are done, the others can be repeated", verb,
						selection, run.result().affected());
			throw ex;
		}
		VerbResult result = run.result();
		logger.atInfo()
			.addKeyValue("verb", verb)
			.addKeyValue("selection", selection)
			.addKeyValue("affected", result.affected())
			.addKeyValue("passed_over", result.passedOver())
			.log("Outbox {} of {}: {} message(s), {} passed over", verb, selection, result.affected(),
					result.passedOver());
		return result;
	}

	@Override
	public VerbResult dryRun(OperatorVerb verb, MessageSelection selection) {
		return dryRun(run(verb, selection));
	}

	@Override
	public VerbResult dryRun(MessageSelection selection, Reroute reroute) {
		return dryRun(run(selection, reroute));
	}

	private static VerbResult dryRun(VerbRun run) {
		run.run(false, (partitions) -> {
		});
		return run.result();
	}

	private VerbRun run(OperatorVerb verb, MessageSelection selection) {
		AdministrationStatements statements = statements();
		VerbTargets targets = switch (verb) {
			case RELEASE -> released(statements, selection);
			case RETRY, SKIP -> new StuckTargets(this.database, statements, verb, selection);
			case REQUEUE, DISCARD -> new DeadLetterTargets(this.database, statements, this.ordered, verb, selection);
		};
		return new VerbRun(this.transactions, statements, targets);
	}

	private VerbTargets released(AdministrationStatements statements, MessageSelection selection) {
		Assert.isTrue(selection.by() != By.GROUP,
				"A group of failures cannot be released: what is delayed has not failed");
		return new ChangedMessages(this.database.statements(), statements,
				MessageChange.release(this.database.tablePrefix(), selection));
	}

	// Messages first: one that becomes a dead letter meanwhile is found among these
	private VerbRun run(MessageSelection selection, Reroute reroute) {
		// It has those that have failed, and not those that wait behind them
		Assert.isTrue(selection.by() != By.GROUP,
				"A group of failures cannot be rerouted: say by 'exchange' and 'routingKey' where the messages go so far, which means those that wait behind them as well");
		AdministrationStatements statements = statements();
		RerouteStatements rerouting = new RerouteStatements(this.database.tablePrefix(), selection, reroute);
		return new VerbRun(this.transactions, statements,
				new ChangedMessages(this.database.statements(), statements, rerouting.messages),
				new ReroutedLetters(statements, rerouting));
	}

	// Asks the database for its version, the first time
	private AdministrationStatements statements() {
		AdministrationStatements known = this.administration;
		if (known == null) {
			known = new AdministrationStatements(this.database, this.ordered);
			this.administration = known;
		}
		return known;
	}

}
