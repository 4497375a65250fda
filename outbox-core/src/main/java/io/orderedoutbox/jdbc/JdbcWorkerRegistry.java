package io.orderedoutbox.jdbc;

import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;

import io.orderedoutbox.admin.RelayWorkerStatus;
import io.orderedoutbox.admin.RelayWorkers;
import tools.jackson.databind.json.JsonMapper;

import static io.orderedoutbox.jdbc.SqlFragments.LOOK;
import static io.orderedoutbox.jdbc.SqlFragments.NOW;
import static io.orderedoutbox.jdbc.SqlFragments.TEXT;

/**
 * {@link RelayWorkers} in a table of the outbox, which may be missing. Each instance
 * writes its own rows and no others; only what has been silent for long is removed by
 * others. All times are those of the database.
 */
public final class JdbcWorkerRegistry implements RelayWorkers {

	private static final JsonMapper JSON = JsonMapper.shared();

	private static final String MICROS = "TIMESTAMPDIFF(MICROSECOND, %s, %s)";

	private final OutboxDatabase database;

	private final OptionalTable table;

	private final String write;

	private final String list;

	private final String findSilent;

	private final String remove;

	/**
	 * Create a registry.
	 * @param database the database of the outbox
	 */
	public JdbcWorkerRegistry(OutboxDatabase database) {
		this.database = database;
		this.table = new OptionalTable(database, "worker");
		this.write = """
				INSERT INTO %1$s (instance, id, host, pid, started_at, heartbeat_at, state, batches, keys_in_hand)
				SELECT ?, w.id, FROM_BASE64(?), ?, TIMESTAMPADD(MICROSECOND, ?, %2$s), %2$s, w.state, w.batches, w.in_hand
				FROM JSON_TABLE(%3$s, '$[*]' COLUMNS (id INT PATH '$.id', state VARCHAR(20) CHARACTER SET ascii PATH '$.state',
				batches BIGINT PATH '$.batches', in_hand INT PATH '$.keysInHand')) w
				ON DUPLICATE KEY UPDATE heartbeat_at = %2$s, state = w.state, batches = w.batches, keys_in_hand = w.in_hand"""
			.formatted(this.table.name(), NOW, TEXT);
		this.list = LOOK + """
				instance, id, CAST(host AS BINARY) AS host, pid, %s AS started, %s AS heartbeat, %s AS silence,
				state, batches, keys_in_hand FROM %s ORDER BY started_at, instance, id LIMIT 10000""".formatted(
				MICROS.formatted("'1970-01-01'", "started_at"), MICROS.formatted("'1970-01-01'", "heartbeat_at"),
				MICROS.formatted("heartbeat_at", NOW), this.table.name());
		this.findSilent = LOOK + "DISTINCT instance FROM %s WHERE heartbeat_at < TIMESTAMPADD(MICROSECOND, ?, %s)"
			.formatted(this.table.name(), NOW);
		this.remove = "DELETE FROM %s WHERE instance = ?".formatted(this.table.name());
	}

	/**
	 * Return the name of the table.
	 * @return the name
	 */
	public String table() {
		return this.table.name();
	}

	/**
	 * Write down what the workers of an instance are doing, in one statement.
	 * @param instance the instance
	 * @param workers all its workers
	 * @return whether there is a table for it
	 */
	public boolean write(Instance instance, List<Worker> workers) {
		String write = this.database.dialect().inAnySession(this.write);
		return this.table.update(write, instance.id(), SqlFragments.text(instance.host()), instance.pid(),
				-instance.age().toNanos() / 1_000,
				SqlFragments.text(JSON.writeValueAsString(workers.stream().map(JdbcWorkerRegistry::row).toList())));
	}

	private static Map<String, Object> row(Worker worker) {
		return Map.of("id", worker.id(), "state", worker.state(), "batches", worker.batches(), "keysInHand",
				worker.keysInHand());
	}

	@Override
	public List<RelayWorkerStatus> list() {
		List<RelayWorkerStatus> workers = this.table.read((jdbc) -> jdbc.query(this.list, JdbcWorkerRegistry::status));
		return (workers != null) ? workers : List.of();
	}

	private static RelayWorkerStatus status(ResultSet rs, int index) throws SQLException {
		return new RelayWorkerStatus(rs.getString("instance"), rs.getInt("id"),
				new String(rs.getBytes("host"), StandardCharsets.UTF_8), rs.getLong("pid"),
				Instant.EPOCH.plus(rs.getLong("started"), ChronoUnit.MICROS),
				Instant.EPOCH.plus(rs.getLong("heartbeat"), ChronoUnit.MICROS),
				Duration.of(rs.getLong("silence"), ChronoUnit.MICROS), rs.getString("state"), rs.getLong("batches"),
				rs.getInt("keys_in_hand"));
	}

	/**
	 * Remove instances that have been silent for long, if there is a table.
	 * @param silence for how long
	 */
	public void removeSilent(Duration silence) {
		List<String> silent = this.table
			.read((jdbc) -> jdbc.queryForList(this.findSilent, String.class, -silence.toNanos() / 1_000));
		if (silent != null) {
			silent.forEach(this::remove);
		}
	}

	/**
	 * Remove an instance, if there is a table.
	 * @param instance the instance
	 */
	public void remove(String instance) {
		this.table.update(this.remove, instance);
	}

	/**
	 * An instance with a relay.
	 *
	 * @param id under which its workers are found
	 * @param host name of its host
	 * @param pid id of its process
	 * @param age how long ago it started
	 */
	public record Instance(String id, String host, long pid, Duration age) {

	}

	/**
	 * What a worker is doing.
	 *
	 * @param id its number, from one on
	 * @param state its state
	 * @param batches how many batches it has ended
	 * @param keysInHand how many partition keys it has claimed at the moment
	 */
	public record Worker(int id, String state, long batches, int keysInHand) {

	}

}
