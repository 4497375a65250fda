/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.admin;

import java.util.List;

import io.orderedoutbox.admin.MessageContent;
import io.orderedoutbox.admin.MessageExport;
import io.orderedoutbox.jdbc.dialect.SqlFragments;

import org.springframework.jdbc.core.RowMapper;

/**
 * Reads what is exported a part at a time. What takes the messages is not waited for
 * while a connection is in use.
 */
interface ExportedParts {

	/** How many messages are read at once, at most. */
	int MESSAGES = 100;

	/** How large their payloads are together, unless one alone is larger. */
	long BYTES = 4 << 20;

	/**
	 * How many are read up to the last one that fits: a message that has come before it
	 * since the sizes were read does not take its place.
	 */
	int UP_TO_THE_LAST = Integer.MAX_VALUE;

	/**
	 * Whether there is no other part.
	 */
	boolean haveEnded();

	/**
	 * The next part, which can be empty.
	 */
	List<MessageContent> next();

	/**
	 * The column with the size of what is read of a payload.
	 * @param size the size of the whole payload
	 */
	static String size(MessageExport export, String size) {
		return (export.withPayloads() ? size : "0") + " AS size";
	}

	/**
	 * The columns with what a message carries.
	 * @param size the size of the whole payload
	 */
	static String carried(SqlFragments sql, MessageExport export, String size) {
		return InspectionStatements.carried(sql, "m", size,
				String.valueOf(export.withPayloads() ? Integer.MAX_VALUE : 0));
	}

	/**
	 * Where a message is, and how large its payload.
	 */
	record Sized(long position, long bytes) {

		static final RowMapper<Sized> ROW = (rs, index) -> new Sized(rs.getLong("position"), rs.getLong("size"));

		/**
		 * How many of the first are read at once.
		 */
		static int fitting(List<Sized> found) {
			int fitting = 0;
			long bytes = 0;
			while (fitting < found.size() && (fitting == 0 || bytes + found.get(fitting).bytes() <= BYTES)) {
				bytes += found.get(fitting++).bytes();
			}
			return fitting;
		}

	}

}
