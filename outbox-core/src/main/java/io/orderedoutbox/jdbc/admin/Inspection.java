package io.orderedoutbox.jdbc.admin;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.orderedoutbox.admin.BoundedCount;
import io.orderedoutbox.admin.MessageContent;
import io.orderedoutbox.admin.MessageSelection;
import io.orderedoutbox.admin.MessageSummary;
import io.orderedoutbox.admin.OutboxAdministration;
import io.orderedoutbox.admin.OutboxFigures;
import io.orderedoutbox.jdbc.Partitions;
import io.orderedoutbox.jdbc.admin.BacklogLook.Counts;
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

	private final Partitions partitions;

	private final @Nullable ArchiveStatements archive;

	Inspection(JdbcTemplate jdbc, InspectionStatements statements, Partitions partitions,
			@Nullable ArchiveStatements archive) {
		this.jdbc = jdbc;
		this.statements = statements;
		this.partitions = partitions;
		this.archive = archive;
	}

	OutboxFigures figures(BacklogStatements backlog) {
		BacklogLook look = new BacklogLook(this.jdbc, backlog);
		Counts counts = look.count(OutboxFigures.MAX_BACKLOG, OutboxFigures.MAX_FAILED, OutboxFigures.MAX_DEAD_LETTERS);
		return new OutboxFigures(counts.messages(), counts.stalled(), counts.blocked(), counts.deadLetters(),
				archived(), oldest(), look.lag());
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

	/**
	 * What a range of the outbox has to show. Of one key it is a range of its lanes.
	 */
	Listing list(MessageSelection selection, boolean due, long after, int size) {
		List<Long> lanes = this.statements.isOfOneKey(selection) ? lanes(selection.value()) : List.of();
		LookedRange range = LookedRange.find(this.jdbc, this.statements.range(lanes, after, MOST), MOST);
		List<String> values = new ArrayList<>();
		for (int lane = 0; lane < Math.max(1, lanes.size()); lane++) {
			values.addAll(AdministrationStatements.value(selection));
		}
		String list = this.statements.list(selection, due, lanes, after, range.last(), size);
		return new Listing(this.jdbc.query(list, Listed.MESSAGE, values.toArray()),
				range.isTheLast() ? null : range.last());
	}

	private List<Long> lanes(String partitionKey) {
		List<Long> lanes = new ArrayList<>();
		lanes.add((long) this.partitions.of(partitionKey));
		lanes.addAll(this.jdbc.queryForList(this.statements.parkedLanes(partitionKey), Long.class, partitionKey));
		return lanes;
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
		Long position = first(this.statements.locateHead, MOST, messageId);
		long after = 0;
		for (int looked = 0; position == null && looked < OutboxAdministration.MAX_SEARCHED; looked += MOST) {
			LookedRange range = LookedRange.find(this.jdbc, this.statements.range(List.of(), after, MOST), MOST);
			position = first(this.statements.locate, after, range.last(), messageId);
			if (range.isTheLast()) {
				break;
			}
			after = range.last();
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
