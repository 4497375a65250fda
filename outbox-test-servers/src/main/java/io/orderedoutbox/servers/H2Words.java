/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.servers;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.zip.CRC32;

/**
 * Words of MySQL that tests use, for H2: {@code words-h2.sql} makes functions of them.
 */
public final class H2Words {

	private H2Words() {
	}

	/**
	 * The time.
	 * @return the time
	 */
	public static OffsetDateTime now() {
		return OffsetDateTime.now(ZoneOffset.UTC);
	}

	/**
	 * The time.
	 * @param digits of a second; the time has all
	 * @return the time
	 */
	public static OffsetDateTime now(int digits) {
		return now();
	}

	/**
	 * The number of a connection.
	 * @param connection the connection
	 * @return its number
	 * @throws SQLException if it is closed
	 */
	public static long connectionId(Connection connection) throws SQLException {
		try (Statement statement = connection.createStatement();
				ResultSet row = statement.executeQuery("SELECT SESSION_ID()")) {
			row.next();
			return row.getLong(1);
		}
	}

	/**
	 * A hash.
	 * @param text the text
	 * @return the hash of its UTF-8
	 */
	public static long crc32(String text) {
		CRC32 crc = new CRC32();
		crc.update(text.getBytes(StandardCharsets.UTF_8));
		return crc.getValue();
	}

	/**
	 * Waits.
	 * @param seconds for how long
	 * @return zero
	 * @throws InterruptedException if the thread is interrupted
	 */
	public static int sleep(double seconds) throws InterruptedException {
		Thread.sleep((long) (seconds * 1000));
		return 0;
	}

	/**
	 * So many bytes, more than a literal may have.
	 * @param length how many
	 * @return the bytes
	 */
	public static InputStream filler(int length) {
		return new ByteArrayInputStream(new byte[length]);
	}

	/**
	 * Digits of bytes.
	 * @param bytes the bytes
	 * @return two digits for each
	 */
	public static String hex(byte[] bytes) {
		return HexFormat.of().withUpperCase().formatHex(bytes);
	}

}
