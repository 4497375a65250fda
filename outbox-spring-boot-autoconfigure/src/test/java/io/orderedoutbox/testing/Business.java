package io.orderedoutbox.testing;

import java.util.List;

import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The data of an application, next to the outbox: a table of notes.
 */
public final class Business {

	private final JdbcClient jdbc;

	private Business(JdbcClient jdbc) {
		this.jdbc = jdbc;
	}

	/**
	 * An empty table of notes, and an empty outbox beside it.
	 */
	public static Business in(JdbcClient jdbc) {
		jdbc.sql("CREATE TABLE IF NOT EXISTS note (id BIGINT AUTO_INCREMENT PRIMARY KEY, text VARCHAR(100) NOT NULL)")
			.update();
		jdbc.sql("DELETE FROM note").update();
		jdbc.sql("DELETE FROM outbox_message").update();
		return new Business(jdbc);
	}

	public void write(String note) {
		this.jdbc.sql("INSERT INTO note (text) VALUES (?)").param(note).update();
	}

	public List<String> notes() {
		return this.jdbc.sql("SELECT text FROM note ORDER BY id").query(String.class).list();
	}

}
