/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.dialect;

import java.util.Collection;

/**
 * What an instance asks the server when it starts, as each database understands it. All
 * but {@link #lock} are what a SELECT selects.
 */
public interface ServerQuestions {

	/** Whether each statement is committed by itself, as the server sees it. */
	String commitsByItself();

	/** Whether the binary log, if there is one, can take what a relay does. */
	String isReplicable();

	/** Whether what is committed survives a crash of the server. */
	String isDurable();

	/** The settings that decide about that, and what they should be. */
	String durableSettings();

	/**
	 * What makes positions or texts other than they should be, or statements slow, in
	 * words; no row if nothing does.
	 * @param prefix what the names of the tables begin with
	 */
	String defect(String prefix);

	/** Which database of which server this is, whatever else a proxy asks of which. */
	String whichDatabase();

	/**
	 * The columns of tables, with the character set of each, and whether the server tells
	 * tables apart by the case of their names. Limited, or the session would do so.
	 */
	String columns(Collection<String> tables);

	/**
	 * A statement that takes a lock of the whole server, and waits for it a minute; it
	 * returns 1 if it has it.
	 * @param name what is locked, in the schema of the session
	 */
	String lock(String name);

	/** A statement that gives such a lock back. */
	String unlock(String name);

}
