package io.orderedoutbox.store;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.orderedoutbox.store.FailedMessage.Fate;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Writes down what became of the messages of a claim, in the transaction of the claim.
 * <ol>
 * <li>Set back what was not sent: attempts, error, and when it is due again.</li>
 * <li>Copy what is given up to the dead letters.</li>
 * <li>Keep the list of what has failed and still waits, by which operators find it
 * without reading the whole outbox.</li>
 * <li>Copy what was published to the archive, where there is one.</li>
 * <li>Delete what was published or given up.</li>
 * </ol>
 * On the healthy path that is the DELETE alone, or two statements with an archive.
 */
final class Settlement {

	private static final JsonMapper JSON = JsonMapper.shared();

	// From here on a statement of its own is less than it saves
	private static final int WORTH_A_STATEMENT = 100;

	private final JdbcTemplate jdbc;

	private final OutboxStatements statements;

	private final Set<Long> failedBefore;

	Settlement(JdbcTemplate jdbc, OutboxStatements statements, Set<Long> failedBefore) {
		this.jdbc = jdbc;
		this.statements = statements;
		this.failedBefore = failedBefore;
	}

	void write(Collection<Long> published, Collection<FailedMessage> failed) {
		List<Long> dead = failed.stream()
			.filter((message) -> message.fate() == Fate.DEAD_LETTER)
			.map(FailedMessage::id)
			.toList();
		List<Long> waiting = failed.stream()
			.filter((message) -> message.fate() != Fate.DEAD_LETTER)
			.map(FailedMessage::id)
			.toList();
		List<Long> gone = new ArrayList<>(published);
		gone.addAll(dead);
		if (!failed.isEmpty()) {
			this.jdbc.update(this.statements.fail,
					JSON.writeValueAsString(failed.stream().map(Settlement::row).toList()));
		}
		update(this.statements.bury, dead);
		update(this.statements.enlist, waiting.stream().filter((id) -> !this.failedBefore.contains(id)).toList());
		update(this.statements.strike, gone.stream().filter(this.failedBefore::contains).toList());
		if (this.statements.isArchiving()) {
			update(this.statements.archive, published.stream().sorted().toList());
		}
		delete(gone);
	}

	private void delete(List<Long> ids) {
		Positions parts = Positions.of(ids, this.statements.dialect(), WORTH_A_STATEMENT);
		for (Stretch stretch : parts.stretches()) {
			this.jdbc.update(this.statements.stretches.delete, stretch.first(), stretch.last(), stretch.length());
		}
		update(this.statements.delete, parts.others());
	}

	private void update(String statement, List<Long> ids) {
		if (!ids.isEmpty()) {
			this.jdbc.update(statement, ids.toString());
		}
	}

	// A message that is blocked has no delay
	private static Map<String, Object> row(FailedMessage message) {
		Map<String, Object> row = new HashMap<>();
		row.put("id", message.id());
		row.put("error", message.error());
		row.put("attempt", (message.fate() != Fate.POSTPONED) ? 1 : 0);
		if (message.fate() != Fate.BLOCKED) {
			row.put("delay", message.delay().toNanos() / 1_000);
		}
		return row;
	}

}
