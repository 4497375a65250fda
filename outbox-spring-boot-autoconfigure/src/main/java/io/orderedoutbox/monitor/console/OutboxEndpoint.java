/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor.console;

import com.fasterxml.jackson.annotation.JsonValue;
import io.orderedoutbox.monitor.Names;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.ApiVersion;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.Producible;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.core.io.InputStreamResource;
import org.springframework.util.MimeType;
import org.springframework.util.MimeTypeUtils;

/**
 * The Actuator endpoint {@code outbox}. It only reads until
 * {@code management.endpoint.outbox.access} allows more.
 * <p>
 * Answers are 200 with what was asked for, or 400, 404, 409, 500 or 503 with the problem.
 * What is {@code null} is left out.
 *
 * @see OrderedOutboxEndpoint
 */
@WebEndpoint(id = "outbox", defaultAccess = Access.READ_ONLY)
public class OutboxEndpoint {

	private final OutboxConsoles consoles;

	/**
	 * Create an endpoint.
	 * @param consoles what is shown and done
	 */
	public OutboxEndpoint(OutboxConsoles consoles) {
		this.consoles = consoles;
	}

	/**
	 * Return an outbox at a glance.
	 * @param outbox its name, if there are several
	 * @return the {@link OverviewDescriptor}
	 */
	@ReadOperation
	public WebEndpointResponse<Object> overview(@Nullable String outbox) {
		return response(this.consoles.ask(outbox, (console) -> console.answer(console::overview)));
	}

	/**
	 * Return a page of messages, all of them with what they carry as lines of JSON,
	 * groups of what has failed, the instances, the configuration, or the names of the
	 * outboxes.
	 * @param section one of messages, export, groups, audit, instances, configuration and
	 * outboxes
	 * @param outbox name of the outbox, if there are several
	 * @param state of messages and export: pending, due, delayed, stalled, blocked, dead
	 * or archived
	 * @param id of messages and export: the one with this id
	 * @param key of messages and export: those of this partition key, empty for those
	 * without
	 * @param name of messages and export: those of this name
	 * @param group of messages and export: those of this group of what has failed
	 * @param from of messages, export and groups: those stored, published or dead since
	 * then; of audit: what was done since then
	 * @param until of messages, export, groups and audit: those before then
	 * @param after of messages and audit: where the last page ended
	 * @param size of messages and audit: how many at most
	 * @param limit of export: how many at most
	 * @param form what the client accepts, {@code null} for plain JSON; an export is
	 * lines in any case
	 * @return what was asked for
	 */
	@ReadOperation(producesFrom = Form.class)
	public WebEndpointResponse<Object> section(@Selector String section, @Nullable String outbox,
			@Nullable String state, @Nullable String id, @Nullable String key, @Nullable String name,
			@Nullable String group, @Nullable String from, @Nullable String until, @Nullable String after,
			@Nullable Integer size, @Nullable Long limit, @Nullable Form form) {
		Criteria criteria = new Criteria(id, key, name, group, null, from, until);
		Answer answer = Names.find(Section.class, section)
			.map((wanted) -> (wanted == Section.OUTBOXES) ? new Answer(200, this.consoles.names())
					: this.consoles.ask(outbox,
							(console) -> console
								.answer(() -> section(console, wanted, state, criteria, after, size, limit))))
			.orElseGet(() -> Answer
				.notFound("There is no '%s', only %s".formatted(section, Names.enumerated(Names.all(Section.class)))));
		if (answer.body() instanceof ExportStream lines) {
			return new WebEndpointResponse<>(new InputStreamResource(() -> lines, "messages as lines of JSON"),
					answer.status(), ExportStream.TYPE);
		}
		// Also for a client that accepts nothing but lines
		return new WebEndpointResponse<>(new Body(answer.body()), answer.status(),
				((form == null || form == Form.LINES || section.equals(Names.of(Section.EXPORT))) ? Form.JSON : form)
					.getProducedMimeType());
	}

	private static Object section(OutboxConsole console, Section section, @Nullable String state, Criteria criteria,
			@Nullable String after, @Nullable Integer size, @Nullable Long limit) {
		return switch (section) {
			case MESSAGES -> console.messages(state, criteria, after, size);
			case EXPORT -> console.export(state, criteria, limit);
			case GROUPS -> console.groups(criteria);
			case AUDIT -> console.audit(criteria, after, size);
			case INSTANCES -> console.instances();
			case CONFIGURATION -> console.configuration();
			case OUTBOXES -> throw new IllegalArgumentException("The outboxes are no section of one of them");
		};
	}

	/**
	 * Return one message.
	 * @param section must be messages
	 * @param id its message id
	 * @param outbox name of the outbox, if there are several
	 * @return the {@link ContentDescriptor}
	 */
	@ReadOperation
	public WebEndpointResponse<Object> message(@Selector String section, @Selector String id, @Nullable String outbox) {
		return response(section.equals(Names.of(Section.MESSAGES))
				? this.consoles.ask(outbox, (console) -> console.answer(() -> console.message(id)))
				: Answer.notFound("There is nothing below '%s'".formatted(section)));
	}

	/**
	 * Pause or resume the relay of this instance or of all, or apply a verb of the
	 * {@link io.orderedoutbox.admin.OutboxAdministration}.
	 * @param action one of pause, resume, retry, release, skip, requeue, discard and
	 * reroute
	 * @param outbox name of the outbox, if there are several
	 * @param id of a verb: to the message with this id
	 * @param key of a verb: to those of this partition key, empty for those without
	 * @param name of a verb: to those of this name
	 * @param group of a verb: to those of this group of what has failed
	 * @param all of a verb: whether to all messages; of pause and resume: whether all
	 * instances
	 * @param dryRun of a verb: whether only to find out what it would do
	 * @param from of replay: those published since then
	 * @param until of replay: those published before then
	 * @param exchange of reroute: those that go to this exchange
	 * @param routingKey of reroute: those with this routing key
	 * @param toExchange of reroute and replay: the exchange they are to go to
	 * @param toRoutingKey of reroute: the routing key they are to have
	 * @param perSecond of replay: how many in a second
	 * @return the relay, or what was done
	 */
	@WriteOperation
	public WebEndpointResponse<Object> act(@Selector String action, @Nullable String outbox, @Nullable String id,
			@Nullable String key, @Nullable String name, @Nullable String group, @Nullable Boolean all,
			@Nullable Boolean dryRun, @Nullable String from, @Nullable String until, @Nullable String exchange,
			@Nullable String routingKey, @Nullable String toExchange, @Nullable String toRoutingKey,
			@Nullable Integer perSecond) {
		Criteria criteria = new Criteria(id, key, name, group, all, from, until);
		RerouteRequest request = new RerouteRequest(exchange, routingKey, toExchange, toRoutingKey, perSecond);
		return response(this.consoles.ask(outbox,
				(console) -> console.act(action, criteria, request, Boolean.TRUE.equals(dryRun))));
	}

	private static WebEndpointResponse<Object> response(Answer answer) {
		return new WebEndpointResponse<>(new Body(answer.body()), answer.status());
	}

	/**
	 * What a client may accept. The last of those that it accepts is the form of the
	 * answer, as Actuator wants it.
	 */
	enum Form implements Producible<Form> {

		LINES(ExportStream.TYPE.toString()),

		JSON("application/json"),

		VERSION_2(ApiVersion.V2.getProducedMimeType().toString()),

		VERSION_3(ApiVersion.V3.getProducedMimeType().toString());

		private final String type;

		Form(String type) {
			this.type = type;
		}

		@Override
		public MimeType getProducedMimeType() {
			return MimeTypeUtils.parseMimeType(this.type);
		}

		@Override
		public boolean isDefault() {
			return this == VERSION_3;
		}

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
