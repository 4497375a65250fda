package io.orderedoutbox.jdbc.admin;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

import io.orderedoutbox.admin.ArchivedMessage;
import io.orderedoutbox.admin.DeadLetter;
import io.orderedoutbox.admin.MessageContent;
import io.orderedoutbox.admin.MessageSelection;
import io.orderedoutbox.admin.MessageSummary;
import io.orderedoutbox.admin.OperatorVerb;
import io.orderedoutbox.admin.OutboxAdministration;
import io.orderedoutbox.admin.OutboxFigures;
import io.orderedoutbox.admin.OutboxPage;
import io.orderedoutbox.admin.StuckMessage;
import io.orderedoutbox.admin.VerbResult;
import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.jdbc.OwnTransactions;
import io.orderedoutbox.jdbc.admin.Inspection.Listing;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowMapper;
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
		this.inspection = new InspectionStatements(database, ordered);
		this.backlog = new BacklogStatements(database.tablePrefix());
		this.archive = database.isArchiving() ? new ArchiveStatements(database.tablePrefix()) : null;
	}

	@Override
	public OutboxPage<StuckMessage> stalled(MessageSelection selection, @Nullable String after, int size) {
		return stuck(selection, false, after, size);
	}

	@Override
	public OutboxPage<StuckMessage> blocked(MessageSelection selection, @Nullable String after, int size) {
		return stuck(selection, true, after, size);
	}

	private OutboxPage<StuckMessage> stuck(MessageSelection selection, boolean blocked, @Nullable String after,
			int size) {
		long position = position(after);
		requirePageSize(size);
		AdministrationStatements statements = statements();
		return this.database.look(PATIENCE,
				(jdbc) -> new StuckList(jdbc, statements).page(selection, blocked, position, size));
	}

	@Override
	public OutboxPage<DeadLetter> deadLetters(MessageSelection selection, @Nullable String after, int size) {
		return listed(statements().listDeadLetters(selection), Listed.DEAD_LETTER, selection, position(after), size);
	}

	private <T> OutboxPage<T> listed(String statement, RowMapper<Listed<T>> mapper, MessageSelection selection,
			long position, int size) {
		requirePageSize(size);
		List<Object> arguments = new ArrayList<>(List.of(position));
		arguments.addAll(AdministrationStatements.value(selection));
		arguments.add(size + 1);
		return Listed.page(size,
				this.database.look(PATIENCE, (jdbc) -> jdbc.query(statement, mapper, arguments.toArray())), null);
	}

	@Override
	public boolean hasArchive() {
		return this.archive != null;
	}

	@Override
	public OutboxPage<ArchivedMessage> archived(MessageSelection selection, @Nullable String after, int size) {
		if (this.archive == null) {
			return OutboxAdministration.super.archived(selection, after, size);
		}
		return listed(this.archive.list(selection), Listed.ARCHIVED_MESSAGE, selection,
				(after != null) ? position(after) : Long.MAX_VALUE, size);
	}

	@Override
	public OutboxPage<MessageSummary> pending(MessageSelection selection, @Nullable String after, int size) {
		return messages(selection, false, after, size);
	}

	@Override
	public OutboxPage<MessageSummary> due(MessageSelection selection, @Nullable String after, int size) {
		return messages(selection, true, after, size);
	}

	private OutboxPage<MessageSummary> messages(MessageSelection selection, boolean due, @Nullable String after,
			int size) {
		long position = position(after);
		requirePageSize(size);
		Listing listing = inspect((inspection) -> inspection.list(selection, due, position, size + 1));
		return Listed.page(size, listing.messages(), listing.lookedUpTo());
	}

	@Override
	public Optional<MessageContent> find(String messageId, int payloadBytes) {
		String id = MessageSelection.message(messageId).value();
		return inspect((inspection) -> inspection.find(id, payloadBytes));
	}

	@Override
	public OutboxFigures figures() {
		return inspect((inspection) -> inspection.figures(this.backlog));
	}

	private <T> T inspect(Function<Inspection, T> look) {
		return this.database.look(PATIENCE,
				(jdbc) -> look.apply(new Inspection(jdbc, this.inspection, this.database.partitions(), this.archive)));
	}

	private static long position(@Nullable String cursor) {
		try {
			return (cursor != null) ? Long.parseLong(cursor) : 0;
		}
		catch (NumberFormatException ex) {
			throw new IllegalArgumentException(
					"'after' must be where another page ended, but is '%s'".formatted(cursor), ex);
		}
	}

	private static void requirePageSize(int size) {
		Assert.isTrue(size >= 1 && size <= MAX_PAGE_SIZE,
				() -> "'size' must be between 1 and %d, but is %d".formatted(MAX_PAGE_SIZE, size));
	}

	@Override
	public VerbResult apply(OperatorVerb verb, MessageSelection selection) {
		VerbRun run = run(verb, selection);
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
		VerbRun run = run(verb, selection);
		run.run(false, (partitions) -> {
		});
		return run.result();
	}

	private VerbRun run(OperatorVerb verb, MessageSelection selection) {
		AdministrationStatements statements = statements();
		VerbTargets targets = switch (verb) {
			case RETRY, SKIP -> new StuckTargets(this.database, statements, verb, selection);
			case REQUEUE, DISCARD -> new DeadLetterTargets(this.database, statements, this.ordered, verb, selection);
		};
		return new VerbRun(this.transactions, statements, targets);
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
