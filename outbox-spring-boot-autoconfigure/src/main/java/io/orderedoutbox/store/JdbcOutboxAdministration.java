package io.orderedoutbox.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

import io.orderedoutbox.ArchivedMessage;
import io.orderedoutbox.DeadLetter;
import io.orderedoutbox.MessageContent;
import io.orderedoutbox.MessageSelection;
import io.orderedoutbox.MessageSummary;
import io.orderedoutbox.OperatorVerb;
import io.orderedoutbox.OutboxAdministration;
import io.orderedoutbox.OutboxFigures;
import io.orderedoutbox.OutboxPage;
import io.orderedoutbox.StuckMessage;
import io.orderedoutbox.VerbResult;
import io.orderedoutbox.store.Inspection.Listing;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.util.Assert;

/**
 * {@link OutboxAdministration} on the tables of the outbox. Verbs take part in the
 * protocol of the relays: whoever holds the row lock on the head of a key owns the key.
 * How a verb goes about it: {@link VerbRun}.
 */
public final class JdbcOutboxAdministration implements OutboxAdministration {

	private static final Logger logger = LoggerFactory.getLogger(JdbcOutboxAdministration.class);

	private static final Duration PATIENCE = Duration.ofSeconds(5);

	private final OutboxDatabase database;

	private final boolean ordered;

	private final Runnable wake;

	private final OwnTransactions transactions;

	private final InspectionStatements inspection;

	private final BacklogStatements backlog;

	private final @Nullable ArchiveStatements archive;

	private volatile @Nullable AdministrationStatements administration;

	/**
	 * Create an administration.
	 * @param database the database of the outbox
	 * @param ordered whether the order of each partition key is kept
	 * @param wake is run when messages may have become due
	 */
	public JdbcOutboxAdministration(OutboxDatabase database, boolean ordered, Runnable wake) {
		this.database = database;
		this.ordered = ordered;
		this.wake = wake;
		this.transactions = new OwnTransactions(database);
		this.inspection = new InspectionStatements(database.tablePrefix(), ordered);
		this.backlog = new BacklogStatements(database.tablePrefix(), ordered);
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
		return this.database.look(PATIENCE, (jdbc) -> {
			Span span = Span.find(jdbc, statements.stretchOfFailed, OutboxFigures.MAX_EXAMINED, List.of(position));
			List<Object> arguments = new ArrayList<>(List.of(position, span.last(), blocked ? 1 : 0));
			arguments.addAll(AdministrationStatements.value(selection));
			arguments.add(size + 1);
			List<Listed<StuckMessage>> listed = jdbc.query(statements.listStuck(selection), Listed.STUCK_MESSAGE,
					arguments.toArray());
			if (this.ordered) {
				listed.subList(0, Math.min(size, listed.size()))
					.replaceAll((one) -> one.map((item) -> counted(jdbc, statements, one.id(), item)));
			}
			return Listed.page(size, listed, span.isTheLast() ? null : span.last());
		});
	}

	private static StuckMessage counted(JdbcTemplate jdbc, AdministrationStatements statements, long id,
			StuckMessage item) {
		String key = item.message().partitionKey();
		if (key.isEmpty()) {
			return item;
		}
		Integer behind = jdbc.queryForObject(statements.countBehind(), Integer.class, key, id, StuckMessage.MAX_COUNT);
		return new StuckMessage(item.message(), item.failedAt(), item.retryAt(), Objects.requireNonNull(behind));
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
		return stretch(selection, false, after, size);
	}

	@Override
	public OutboxPage<MessageSummary> due(MessageSelection selection, @Nullable String after, int size) {
		return stretch(selection, true, after, size);
	}

	private OutboxPage<MessageSummary> stretch(MessageSelection selection, boolean due, @Nullable String after,
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
		return this.database.look(PATIENCE, (jdbc) -> look.apply(new Inspection(jdbc, this.inspection, this.archive)));
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
			run.run(true, (verb != OperatorVerb.DISCARD) ? this.wake : () -> {
			});
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
		run.run(false, () -> {
		});
		return run.result();
	}

	private VerbRun run(OperatorVerb verb, MessageSelection selection) {
		AdministrationStatements statements = statements();
		Aim aim = switch (verb) {
			case RETRY, SKIP -> statements.stuckMessages(selection);
			case REQUEUE, DISCARD -> statements.deadLetters(selection);
		};
		return new VerbRun(this.transactions, statements, aim,
				new VerbAction(verb, this.database, statements, this.ordered));
	}

	// Asks the database for its version, the first time
	private AdministrationStatements statements() {
		AdministrationStatements known = this.administration;
		if (known == null) {
			known = new AdministrationStatements(this.database.statements().dialect(), this.database.tablePrefix(),
					this.ordered);
			this.administration = known;
		}
		return known;
	}

}
