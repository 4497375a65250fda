package io.orderedoutbox.store;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.orderedoutbox.BoundedCount;
import io.orderedoutbox.MessageContent;
import io.orderedoutbox.MessageSelection;
import io.orderedoutbox.MessageSelection.By;
import io.orderedoutbox.MessageSummary;
import io.orderedoutbox.OutboxAdministration;
import io.orderedoutbox.OutboxFigures;
import io.orderedoutbox.store.BacklogLook.Counts;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.support.DataAccessUtils;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Looks at the outbox, at no more of it than it says.
 */
final class Inspection {

	private static final Logger logger = LoggerFactory.getLogger(Inspection.class);

	private static final int MOST = OutboxFigures.MAX_EXAMINED;

	private final JdbcTemplate jdbc;

	private final InspectionStatements statements;

	private final @Nullable ArchiveStatements archive;

	Inspection(JdbcTemplate jdbc, InspectionStatements statements, @Nullable ArchiveStatements archive) {
		this.jdbc = jdbc;
		this.statements = statements;
		this.archive = archive;
	}

	OutboxFigures figures(BacklogStatements backlog) {
		BacklogLook look = new BacklogLook(this.jdbc, backlog);
		Counts counts = look.count(OutboxFigures.MAX_BACKLOG, OutboxFigures.MAX_FAILED, OutboxFigures.MAX_DEAD_LETTERS);
		return new OutboxFigures(counts.messages(), counts.stalled(), counts.blocked(), counts.deadLetters(),
				archived(), oldest(), look.lag(counts.messages().count()));
	}

	// A relay that has lost its archive sends nothing: just then the rest has to be seen
	private @Nullable BoundedCount archived() {
		try {
			Long count = (this.archive != null) ? first(this.archive.count, OutboxFigures.MAX_ARCHIVED + 1) : null;
			return (count != null) ? BoundedCount.of(count, OutboxFigures.MAX_ARCHIVED) : null;
		}
		catch (BadSqlGrammarException ex) {
			logger.debug("The archive is missing, or not as it should be", ex);
			return null;
		}
	}

	private @Nullable Duration oldest() {
		Long micros = first(this.statements.oldest);
		return (micros != null) ? Duration.of(Math.max(0, micros), ChronoUnit.MICROS) : null;
	}

	private Span span(MessageSelection selection, long after) {
		List<Object> arguments = new ArrayList<>(List.of(after));
		if (selection.by() == By.PARTITION_KEY) {
			arguments.add(selection.value());
		}
		return Span.find(this.jdbc, this.statements.stretch(selection), MOST, arguments);
	}

	/**
	 * What a stretch of the outbox has to show.
	 */
	Listing list(MessageSelection selection, boolean due, long after, int size) {
		Span span = span(selection, after);
		List<Object> arguments = new ArrayList<>(List.of(after, span.last()));
		arguments.addAll(AdministrationStatements.value(selection));
		arguments.add(size);
		return new Listing(this.jdbc.query(this.statements.list(selection, due), Listed.MESSAGE, arguments.toArray()),
				span.isTheLast() ? null : span.last());
	}

	Optional<MessageContent> find(String messageId, int payloadBytes) {
		Long position = locate(messageId);
		List<MessageContent> content = (position != null)
				? this.jdbc.query(this.statements.content, Listed.CONTENT, payloadBytes, position) : List.of();
		if (content.isEmpty()) {
			content = this.jdbc.query(this.statements.deadContent, Listed.CONTENT, payloadBytes, messageId);
		}
		if (content.isEmpty() && this.archive != null) {
			content = this.jdbc.query(this.archive.content, Listed.CONTENT, payloadBytes, messageId);
		}
		return content.stream().findFirst();
	}

	private @Nullable Long locate(String messageId) {
		Long position = first(this.statements.locateFailed, MOST, messageId);
		long after = 0;
		for (int looked = 0; position == null && looked < OutboxAdministration.MAX_SEARCHED; looked += MOST) {
			Span span = span(MessageSelection.all(), after);
			position = first(this.statements.locate, after, span.last(), messageId);
			if (span.isTheLast()) {
				break;
			}
			after = span.last();
		}
		return position;
	}

	private @Nullable Long first(String statement, Object... arguments) {
		return DataAccessUtils.singleResult(this.jdbc.queryForList(statement, Long.class, arguments));
	}

	/**
	 * What was found.
	 *
	 * @param messages the messages
	 * @param lookedUpTo the position up to which was looked, {@code null} if there is
	 * nothing behind it
	 */
	record Listing(List<Listed<MessageSummary>> messages, @Nullable Long lookedUpTo) {

	}

}
