package io.orderedoutbox.jdbc.admin;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import io.orderedoutbox.admin.MessageSelection;
import io.orderedoutbox.admin.OutboxFigures;
import io.orderedoutbox.admin.OutboxPage;
import io.orderedoutbox.admin.StuckMessage;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Lists messages that are stuck, in the order in which their keys were parked. Their
 * position in the list is that of the message for which their key was parked.
 */
final class StuckList {

	private static final int MOST = OutboxFigures.MAX_EXAMINED;

	private static final LookedRange EVERYTHING = new LookedRange(Long.MIN_VALUE, true);

	private final JdbcTemplate jdbc;

	private final AdministrationStatements statements;

	StuckList(JdbcTemplate jdbc, AdministrationStatements statements) {
		this.jdbc = jdbc;
		this.statements = statements;
	}

	OutboxPage<StuckMessage> page(MessageSelection selection, boolean blocked, long after, int size) {
		LookedRange range = this.statements.isOfOneKey(selection) ? EVERYTHING
				: LookedRange.find(this.jdbc, this.statements.rangeOfParkedKeys, MOST, -after, MOST);
		List<Object> arguments = new ArrayList<>(List.of(-after, range.last(), blocked ? 1 : 0));
		arguments.addAll(AdministrationStatements.value(selection));
		arguments.add(size + 1);
		List<Listed<StuckMessage>> listed = this.jdbc.query(this.statements.listStuck(selection), Listed.STUCK_MESSAGE,
				arguments.toArray());
		listed.subList(0, Math.min(size, listed.size()))
			.replaceAll((one) -> one.map((item) -> counted(one.id(), item)));
		return Listed.page(size, listed, range.isTheLast() ? null : -range.last());
	}

	private StuckMessage counted(long position, StuckMessage item) {
		if (item.message().partitionKey().isEmpty()) {
			return item;
		}
		int all = Objects.requireNonNull(this.jdbc.queryForObject(this.statements.countLane, Integer.class, -position,
				StuckMessage.MAX_COUNT + 1));
		return new StuckMessage(item.message(), item.failedAt(), item.retryAt(), Math.max(0, all - 1));
	}

}
