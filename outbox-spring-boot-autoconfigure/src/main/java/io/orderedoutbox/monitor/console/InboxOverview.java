/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor.console;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * What the page shows of the consuming side, and does there, where the application has
 * one. The page does not know what that is, and hands it to its script.
 */
public interface InboxOverview {

	/**
	 * Nothing to show, and nothing to do.
	 */
	InboxOverview NONE = new InboxOverview() {

		@Override
		public Object current() {
			return Map.of();
		}

		@Override
		public Reply deadLetters(@Nullable String from, @Nullable String until) {
			return new Reply(200, List.of());
		}

		@Override
		public List<String> verbs() {
			return List.of();
		}

		@Override
		public Reply act(String verb, @Nullable String shards, @Nullable String id) {
			return new Reply(404, Map.of("problem", "There is no inbox"));
		}

	};

	/**
	 * Return what is known now. Must not wait for broker or database.
	 * @return something that is written as a JSON object
	 */
	Object current();

	/**
	 * Return the dead letters of the keys that were parked in a range of time. May wait
	 * for the database.
	 * @param from since when, as a request says it
	 * @param until before when
	 * @return something that is written as a JSON array, or the problem
	 */
	Reply deadLetters(@Nullable String from, @Nullable String until);

	/**
	 * Return what can be done.
	 * @return the verbs of {@link #act}
	 */
	List<String> verbs();

	/**
	 * Do something. May wait for broker and database.
	 * @param verb what to do
	 * @param shards which queues are meant
	 * @param id which message is meant, if one is
	 * @return what was done, or the problem
	 */
	Reply act(String verb, @Nullable String shards, @Nullable String id);

	/**
	 * What a request is answered with.
	 *
	 * @param status the HTTP status
	 * @param body something that is written as a JSON object
	 */
	record Reply(int status, Object body) {

	}

}
