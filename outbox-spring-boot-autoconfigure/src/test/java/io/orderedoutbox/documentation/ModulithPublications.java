/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.documentation;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;

import org.springframework.modulith.events.EventPublication.Status;

/**
 * Publications of Spring Modulith to move, and some that are not to be moved.
 */
final class ModulithPublications {

	static final String PLACED = "com.example.shop.OrderPlaced";

	private static final String COUNTED = "com.example.shop.StockCounted";

	private static final String DELEGATING = externalizer("DelegatingEventExternalizer");

	private static final String MODULE_LISTENER = externalizer("EventExternalizerModuleListener");

	private final MigrationProcedure procedure;

	private final OtherLibrary library;

	private final List<Publication> toMove = new ArrayList<>();

	/**
	 * Write them into new tables.
	 */
	ModulithPublications(MigrationProcedure procedure, OtherLibrary library) {
		this.procedure = procedure;
		this.library = library;
		procedure.createTablesOf(library);
		procedure.createOutbox();
		procedure.run(0);
		Random random = new Random(1);
		for (int i = 0; i < 200; i++) {
			boolean isBoundToNoOrder = i % 10 == 0;
			String key = isBoundToNoOrder ? "" : "Größe " + random.nextInt(20);
			String event = isBoundToNoOrder ? "{\"count\":%d}".formatted(i)
					: "{\"orderId\":\"%s\",\"version\":%d}".formatted(key, i);
			this.toMove.add(new Publication(UUID.randomUUID().toString(), (i % 3 == 0) ? DELEGATING : MODULE_LISTENER,
					isBoundToNoOrder ? COUNTED : PLACED, key, event, i));
		}
		List<Publication> shuffled = new ArrayList<>(this.toMove);
		Collections.shuffle(shuffled, random);
		shuffled.add(new Publication(id("listener"), "com.example.shop.Stock.on(com.example.shop.OrderPlaced)", PLACED,
				"", "{\"orderId\":\"a\"}", 500));
		shuffled.add(new Publication(id("unknown"), MODULE_LISTENER, "com.example.shop.Unknown", "", "{}", 501));
		shuffled.add(new Publication(id("completed"), MODULE_LISTENER, PLACED, "", "{}", 502));
		write(shuffled);
	}

	private static String externalizer(String type) {
		return "org.springframework.modulith.events.support.%s.externalize(java.lang.Object)".formatted(type);
	}

	/**
	 * Write one more, later than the others.
	 */
	void write(String name, String type, String event) {
		write(List.of(new Publication(id(name), DELEGATING, type, "", event, 503)));
	}

	private void write(List<Publication> publications) {
		if (this.library == OtherLibrary.MODULITH_JPA) {
			try (ModulithEntities entities = this.procedure.entities()) {
				publications.forEach((publication) -> entities.write(publication.id, publication.listener,
						publication.event, publication.date(), publication.status()));
			}
			this.procedure.inTransaction(() -> publications.forEach(this::complete));
		}
		else {
			this.procedure.inTransaction(() -> publications.forEach(this::write));
		}
	}

	// An entity takes a class that is there
	private void complete(Publication publication) {
		this.procedure.jdbc()
			.sql("UPDATE event_publication SET event_type = ?, completion_date = CASE WHEN ? THEN CURRENT_TIMESTAMP END WHERE id = %s"
				.formatted(this.procedure.choose("UUID_TO_BIN(?)", "?")))
			.params(publication.type, publication.isCompleted(), publication.id)
			.update();
	}

	private void write(Publication publication) {
		this.procedure.jdbc()
			.sql("""
					INSERT INTO EVENT_PUBLICATION (ID, LISTENER_ID, EVENT_TYPE, SERIALIZED_EVENT, PUBLICATION_DATE, COMPLETION_DATE)
					VALUES (?, ?, ?, ?, %s(? + 0.000123), CASE WHEN ? THEN CURRENT_TIMESTAMP END)"""
				.formatted(this.procedure.choose("FROM_UNIXTIME", "to_timestamp")))
			.params(publication.id, publication.listener, publication.type, publication.event, publication.second(),
					publication.isCompleted())
			.update();
		if (this.library == OtherLibrary.MODULITH_2) {
			this.procedure.jdbc()
				.sql("UPDATE EVENT_PUBLICATION SET STATUS = ?, COMPLETION_ATTEMPTS = 1 WHERE ID = ?")
				.params(publication.status().name(), publication.id)
				.update();
		}
	}

	/**
	 * Those to move, in the order of their dates.
	 */
	List<Publication> toMove() {
		return this.toMove;
	}

	/**
	 * The ids of all that are in the table.
	 */
	List<String> ids() {
		return rows("ID", "ORDER BY ID");
	}

	/**
	 * Publications as they are in the table, each as one text.
	 * @param columns what of them, separated by commas
	 * @param clauses which ones, and in which order
	 */
	List<String> rows(String columns, String clauses) {
		String sql = "SELECT CONCAT_WS('|', %s) FROM EVENT_PUBLICATION %s".formatted(columns, clauses);
		if (this.library == OtherLibrary.MODULITH_JPA) {
			sql = sql.replace("EVENT_PUBLICATION", "event_publication")
				.replaceFirst("\\bID\\b", this.procedure.choose("BIN_TO_UUID(ID)", "ID"));
		}
		return this.procedure.jdbc().sql(sql).query(String.class).list();
	}

	/**
	 * The date of a publication in seconds, in SQL.
	 */
	String epoch() {
		String date = (this.library == OtherLibrary.MODULITH_JPA)
				? "CONVERT_TZ(PUBLICATION_DATE, '+00:00', @@session.time_zone)" : "PUBLICATION_DATE";
		return this.procedure.choose("UNIX_TIMESTAMP(%s)".formatted(date), "extract(epoch FROM publication_date)");
	}

	/**
	 * The id of a publication that has a name. PostgreSQL has a type for ids.
	 */
	static String id(String name) {
		return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)).toString();
	}

	/**
	 * A row.
	 *
	 * @param id the id
	 * @param listener for whom it is
	 * @param type the class of the event
	 * @param key the key of the event, empty for none
	 * @param event the event as JSON
	 * @param number its place
	 */
	record Publication(String id, String listener, String type, String key, String event, int number) {

		String name() {
			return this.type.equals(PLACED) ? "order.placed" : "stock.counted";
		}

		// Of an hour in which no publisher of the tests writes
		long second() {
			return 1_700_000_000L + this.number;
		}

		Instant date() {
			return Instant.ofEpochSecond(second(), 123_000);
		}

		boolean isCompleted() {
			return this.id.equals(ModulithPublications.id("completed"));
		}

		Status status() {
			return isCompleted() ? Status.COMPLETED
					: List.of(Status.PUBLISHED, Status.PROCESSING, Status.FAILED).get(this.number % 3);
		}

		String createdAt() {
			return LocalDateTime.ofEpochSecond(second(), 123_000, ZoneOffset.UTC)
				.format(DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSSSSS"));
		}

	}

}
