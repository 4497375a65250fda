/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.monitor;

import com.fasterxml.jackson.annotation.JsonValue;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;

/**
 * The Actuator endpoint {@code inbox}. It tells what this instance knows, and asks
 * neither broker nor database for that, except the database about a range of time. It
 * only reads until {@code management.endpoint.inbox.access} allows more.
 * <p>
 * Answers are 200 with what was asked for, or 400, 404, 409, 500 or 503 with the problem.
 * What is {@code null} is left out.
 *
 * @see OrderedInboxEndpoint
 */
@WebEndpoint(id = "inbox", defaultAccess = Access.READ_ONLY)
public class InboxEndpoint {

	private static final String DEAD_LETTERS = "dead-letters";

	private final InboxConsole console;

	/**
	 * Create an endpoint.
	 * @param console what is shown and done
	 */
	public InboxEndpoint(InboxConsole console) {
		this.console = console;
	}

	/**
	 * Return the inbox at a glance.
	 * @return the {@link InboxDescriptor}
	 */
	@ReadOperation
	public OperationResponseBody overview() {
		return new Body(this.console.overview());
	}

	/**
	 * Return a part of it.
	 * @param section must be dead-letters
	 * @param from only keys that were parked since then, for which the database is asked
	 * @param until only keys that were parked before then, for which the database is
	 * asked
	 * @return a {@link DeadLetterDescriptor} for each name of shards
	 */
	@ReadOperation
	public WebEndpointResponse<Object> section(@Selector String section, @Nullable String from,
			@Nullable String until) {
		return response(section.equals(DEAD_LETTERS) ? this.console.deadLetters(from, until)
				: VerbAnswer.problem(404, "There is no '%s', only %s".formatted(section, DEAD_LETTERS)));
	}

	/**
	 * Replay the dead letters of shards, or discard one of them.
	 * @param action one of replay and discard
	 * @param shards the name of the shards
	 * @param id of discard: the message id of the dead letter
	 * @return the {@link VerbDescriptor}
	 */
	@WriteOperation
	public WebEndpointResponse<Object> act(@Selector String action, @Nullable String shards, @Nullable String id) {
		return response(this.console.act(action, shards, id));
	}

	private static WebEndpointResponse<Object> response(VerbAnswer answer) {
		return new WebEndpointResponse<>(new Body(answer.body()), answer.status());
	}

	/**
	 * Has what it holds written in its place, by the mapper of the endpoints: that of the
	 * application may have names and formats of its own.
	 */
	static final class Body implements OperationResponseBody {

		private final Object content;

		private Body(Object content) {
			this.content = content;
		}

		@JsonValue
		Object content() {
			return this.content;
		}

	}

}
