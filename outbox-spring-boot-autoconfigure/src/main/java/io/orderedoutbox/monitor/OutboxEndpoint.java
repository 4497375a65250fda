package io.orderedoutbox.monitor;

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

	private final OutboxConsole console;

	/**
	 * Create an endpoint.
	 * @param console what is shown and done
	 */
	public OutboxEndpoint(OutboxConsole console) {
		this.console = console;
	}

	/**
	 * Return the outbox at a glance.
	 * @return the {@link OverviewDescriptor}
	 */
	@ReadOperation
	public WebEndpointResponse<Object> overview() {
		return response(this.console.answer(this.console::overview));
	}

	/**
	 * Return a page of messages, groups of what has failed, the instances, or the
	 * configuration.
	 * @param section one of messages, groups, instances and configuration
	 * @param state of messages: pending, due, delayed, stalled, blocked, dead or archived
	 * @param id of messages: the one with this id
	 * @param key of messages: those of this partition key, empty for those without
	 * @param name of messages: those of this name
	 * @param group of messages: those of this group of what has failed
	 * @param from of messages: those stored, published or dead since then
	 * @param until of messages: those stored, published or dead before then
	 * @param after of messages: where the last page ended
	 * @param size of messages: how many at most
	 * @return what was asked for
	 */
	@ReadOperation
	public WebEndpointResponse<Object> section(@Selector String section, @Nullable String state, @Nullable String id,
			@Nullable String key, @Nullable String name, @Nullable String group, @Nullable String from,
			@Nullable String until, @Nullable String after, @Nullable Integer size) {
		return response(Names.find(Section.class, section).map((wanted) -> switch (wanted) {
			case MESSAGES -> this.console.answer(() -> this.console.messages(state,
					new Criteria(id, key, name, group, null, from, until), after, size));
			case GROUPS -> this.console.answer(this.console::groups);
			case AUDIT -> this.console
				.answer(() -> this.console.audit(new Criteria(null, null, null, null, null, from, until), after, size));
			case INSTANCES -> this.console.answer(this.console::instances);
			case CONFIGURATION -> this.console.answer(this.console::configuration);
		})
			.orElseGet(() -> Answer
				.notFound("There is no '%s', only %s".formatted(section, Names.enumerated(Names.all(Section.class))))));
	}

	/**
	 * Return one message.
	 * @param section must be messages
	 * @param id its message id
	 * @return the {@link ContentDescriptor}
	 */
	@ReadOperation
	public WebEndpointResponse<Object> message(@Selector String section, @Selector String id) {
		return response(section.equals(Names.of(Section.MESSAGES)) ? this.console.answer(() -> this.console.message(id))
				: Answer.notFound("There is nothing below '%s'".formatted(section)));
	}

	/**
	 * Pause or resume the relay of this instance or of all, or apply a verb of the
	 * {@link io.orderedoutbox.admin.OutboxAdministration}.
	 * @param action one of pause, resume, retry, release, skip, requeue, discard and
	 * reroute
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
	public WebEndpointResponse<Object> act(@Selector String action, @Nullable String id, @Nullable String key,
			@Nullable String name, @Nullable String group, @Nullable Boolean all, @Nullable Boolean dryRun,
			@Nullable String from, @Nullable String until, @Nullable String exchange, @Nullable String routingKey,
			@Nullable String toExchange, @Nullable String toRoutingKey, @Nullable Integer perSecond) {
		return response(this.console.act(action, new Criteria(id, key, name, group, all, from, until),
				new RerouteRequest(exchange, routingKey, toExchange, toRoutingKey, perSecond),
				Boolean.TRUE.equals(dryRun)));
	}

	private static WebEndpointResponse<Object> response(Answer answer) {
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
