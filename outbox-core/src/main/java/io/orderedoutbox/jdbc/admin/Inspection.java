/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.admin;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

import io.orderedoutbox.admin.BoundedCount;
import io.orderedoutbox.admin.MessageContent;
import io.orderedoutbox.admin.MessageSelection;
import io.orderedoutbox.admin.MessageSelection.By;
import io.orderedoutbox.admin.MessageState;
import io.orderedoutbox.admin.MessageSummary;
import io.orderedoutbox.admin.OutboxAdministration;
import io.orderedoutbox.admin.OutboxFigures;
import io.orderedoutbox.admin.OutboxPage;
import io.orderedoutbox.admin.TimeRange;
import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.jdbc.backlog.BacklogLook;
import io.orderedoutbox.jdbc.backlog.BacklogLook.Counts;
import io.orderedoutbox.jdbc.backlog.BacklogStatements;
import io.orderedoutbox.jdbc.dialect.SqlFragments;
import io.orderedoutbox.jdbc.dialect.UndoneStatement;
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

	private final OutboxDatabase database;

	private final @Nullable ArchiveStatements archive;

	Inspection(JdbcTemplate jdbc, OutboxDatabase database, InspectionStatements statements,
			@Nullable ArchiveStatements archive) {
		this.jdbc = jdbc;
		this.statements = statements;
		this.database = database;
		this.archive = archive;
	}

	OutboxFigures figures(BacklogStatements backlog) {
		BacklogLook look = new BacklogLook(this.jdbc, backlog);
		Counts counts = look.count(OutboxFigures.MAX_BACKLOG, OutboxFigures.MAX_FAILED, OutboxFigures.MAX_DEAD_LETTERS);
		return new OutboxFigures(counts.messages(), counts.stalled(), counts.blocked(), counts.delayed(),
				counts.deadLetters(), archived(), oldest(), look.lag());
	}

	// A relay that has lost its archive sends nothing: just then the rest has to be seen
	private @Nullable BoundedCount archived() {
		try {
			ArchiveStatements known = this.archive;
			Long count = (known != null) ? new UndoneStatement(this.jdbc, this.database.dialect())
				.tryTo(() -> first(known.count, OutboxFigures.MAX_ARCHIVED + 1)) : null;
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
	 * A page of messages of a state.
	 * @param after the position behind which it begins
	 */
	OutboxPage list(MessageState state, MessageSelection selection, TimeRange range, long after, int size) {
		return switch (state) {
			case PENDING, DUE, DELAYED -> range(state, selection, range, after, size);
			case STALLED, BLOCKED -> stuck(state, selection, range, after, size);
			case DEAD -> dead(selection, range, after, size);
			case ARCHIVED -> Listed.page(size,
					rows(Objects.requireNonNull(this.archive).list(selection, range, after), selection, size, after),
					null);
		};
	}

	// For one key the range covers the lanes of the key
	private OutboxPage range(MessageState state, MessageSelection selection, TimeRange time, long after, int size) {
		List<Long> lanes = lanes(this.jdbc, this.database, this.statements, selection);
		LookedRange range = LookedRange.find(this.jdbc, this.statements.range(lanes, after, MOST), MOST);
		String list = this.statements.list(state, selection, time, "", lanes, after, range.last(), size + 1);
		Object[] values = SelectionFragments.values(sql(), selection, lanes);
		return Listed.page(size, this.jdbc.query(list, Listed.MESSAGE, values),
				range.isTheLast() ? null : range.last());
	}

	private SqlFragments sql() {
		return this.database.dialect().sql();
	}

	/**
	 * Where the messages of a key are, or nothing if more than one key is selected.
	 */
	static List<Long> lanes(JdbcTemplate jdbc, OutboxDatabase database, InspectionStatements statements,
			MessageSelection selection) {
		if (!statements.keys.isOfOneKey(selection)) {
			return List.of();
		}
		String partitionKey = selection.value();
		List<Long> lanes = new ArrayList<>();
		lanes.add((long) database.partitions().of(partitionKey));
		lanes.addAll(jdbc.queryForList(statements.parkedLanes(partitionKey), Long.class,
				database.dialect().sql().encoded(partitionKey)));
		return lanes;
	}

	// The position in the list is that of the message for which the key was parked: its
	// lane, negated
	private OutboxPage stuck(MessageState state, MessageSelection selection, TimeRange time, long after, int size) {
		LookedRange range = this.statements.keys.isOfOneKey(selection) ? LookedRange.ALL_LANES
				: LookedRange.find(this.jdbc, this.statements.rangeOfParkedKeys, MOST, -after, MOST);
		boolean isOfGroup = selection.by() == By.GROUP;
		List<Listed> found = rows(this.statements.listStuck(selection, time, ""), selection, isOfGroup ? MOST : size,
				-after, range.last(), state == MessageState.BLOCKED);
		List<Listed> listed = isOfGroup ? ofGroup(found, selection) : found;
		listed.subList(0, Math.min(size, listed.size()))
			.replaceAll((one) -> new Listed(one.position(),
					counted(one.message(), this.statements.countLane, -one.position())));
		return Listed.page(size, listed, range.isTheLast() ? null : -range.last());
	}

	private OutboxPage dead(MessageSelection selection, TimeRange time, long after, int size) {
		String statement = this.statements.listDeadLetters(selection, time);
		if (selection.by() != By.GROUP) {
			return Listed.page(size, rows(statement, selection, size, after), null);
		}
		List<Listed> looked = rows(statement, selection, MOST - 1, after);
		return Listed.page(size, ofGroup(looked, selection),
				(looked.size() == MOST) ? Long.valueOf(looked.get(MOST - 1).position()) : null);
	}

	private static List<Listed> ofGroup(List<Listed> listed, MessageSelection selection) {
		return new ArrayList<>(listed.stream()
			.filter((one) -> SelectionFragments.selects(selection, Failure.of(one.message())))
			.toList());
	}

	// A message that is pending or due, or has no key, holds up no other message
	private MessageSummary counted(MessageSummary message, String countLane, long where) {
		if (message.since() == null || message.partitionKey().isEmpty()) {
			return message;
		}
		int all = Objects
			.requireNonNull(this.jdbc.queryForObject(countLane, Integer.class, where, MessageSummary.MAX_COUNT + 1));
		return message.withWaitingBehind(Math.max(0, all - 1));
	}

	private List<Listed> rows(String statement, MessageSelection selection, int size, Object... before) {
		return this.jdbc.query(statement, Listed.MESSAGE,
				SelectionFragments.arguments(sql(), selection, size + 1, before));
	}

	Optional<MessageContent> find(String messageId, int payloadBytes) {
		Long position = locate(messageId);
		List<MessageContent> content = (position != null) ? content(position, payloadBytes) : List.of();
		if (content.isEmpty()) {
			content = this.jdbc.query(this.statements.deadContent, Listed.CONTENT, payloadBytes, messageId);
		}
		if (content.isEmpty() && this.archive != null) {
			content = this.jdbc.query(this.archive.content, Listed.CONTENT, payloadBytes, messageId);
		}
		return content.stream().findFirst();
	}

	private List<MessageContent> content(long position, int payloadBytes) {
		List<MessageContent> content = this.jdbc.query(this.statements.content, Listed.CONTENT, payloadBytes, position);
		content.replaceAll((one) -> new MessageContent(counted(one.message(), this.statements.countLaneOf, position),
				one.contentType(), one.headers(), one.payload(), one.payloadSize()));
		return content;
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

}
