/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor.console;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.orderedoutbox.admin.ArchiveReplay;
import io.orderedoutbox.admin.MessageSelection;
import io.orderedoutbox.admin.MessageSelection.By;
import io.orderedoutbox.admin.MessageState;
import io.orderedoutbox.admin.OperatorVerb;
import io.orderedoutbox.admin.OutboxAdministration;
import io.orderedoutbox.admin.Reroute;
import io.orderedoutbox.admin.VerbResult;
import io.orderedoutbox.monitor.Names;
import io.orderedoutbox.monitor.console.OverviewDescriptor.RelayDescriptor;
import io.orderedoutbox.relay.OutboxRelay;
import io.orderedoutbox.relay.PauseScope;
import org.jspecify.annotations.Nullable;

/**
 * What endpoint and page have in common: what they show, and what they do.
 * <p>
 * Everything asked for is looked up at once, in the thread of the caller. Arguments that
 * make no sense end in an {@link IllegalArgumentException}, a database that does not
 * answer in a {@link org.springframework.dao.DataAccessException} or a
 * {@link org.springframework.transaction.TransactionException}.
 */
public final class OutboxConsole {

	private static final int PAGE_SIZE = 50;

	private static final String PAUSE = "pause";

	private static final String RESUME = "resume";

	private static final String REROUTE = "reroute";

	private static final String REPLAY = "replay";

	private final OutboxAdministration administration;

	private final Operations operations;

	private final @Nullable OutboxRelay relay;

	private final Instances instances;

	private final Map<String, String> configuration;

	private final Supplier<String> database;

	private final boolean showPayloads;

	/**
	 * Create a console.
	 * @param operations reads and acts
	 * @param relay the relay of this instance, {@code null} if it only writes
	 * @param instances knows the instances of the application
	 * @param configuration the properties that are in effect
	 * @param database how errors call the database
	 * @param showPayloads whether payloads and the values of headers are shown
	 */
	public OutboxConsole(Operations operations, @Nullable OutboxRelay relay, Instances instances,
			Map<String, String> configuration, Supplier<String> database, boolean showPayloads) {
		this.operations = operations;
		this.administration = operations.administration();
		this.relay = relay;
		this.instances = instances;
		this.configuration = configuration;
		this.database = database;
		this.showPayloads = showPayloads;
	}

	/**
	 * Answer with what was asked for, or with the problem.
	 */
	Answer answer(Supplier<?> work) {
		return Answer.of(this.database, work);
	}

	/**
	 * How errors call the database.
	 */
	String database() {
		return this.database.get();
	}

	/**
	 * All that {@link #act} can do.
	 */
	static Stream<String> actions() {
		return Stream.concat(Stream.of(PAUSE, RESUME, REROUTE, REPLAY), Names.all(OperatorVerb.class));
	}

	OverviewDescriptor overview() {
		return OverviewDescriptor.of(this.administration.figures(), relay(), this.instances.isPaused());
	}

	RelayDescriptor relay() {
		return RelayDescriptor.of((this.relay != null) ? this.relay.status() : null);
	}

	ListDescriptor messages(@Nullable String state, Criteria criteria, @Nullable String after, @Nullable Integer size) {
		return ListDescriptor.of(this.administration.list(state(state), criteria.ofList(), criteria.range(), after,
				(size != null) ? size : PAGE_SIZE));
	}

	ExportStream export(@Nullable String state, Criteria criteria, @Nullable Long limit) {
		return ExportStream.open(this.operations, criteria.export(state(state), limit, this.showPayloads));
	}

	private static MessageState state(@Nullable String state) {
		return (state != null) ? Names.find(MessageState.class, "state", state) : MessageState.PENDING;
	}

	AuditDescriptor audit(Criteria criteria, @Nullable String after, @Nullable Integer size) {
		return AuditDescriptor.of(this.operations.journal(), criteria.range(), after,
				(size != null) ? size : PAGE_SIZE);
	}

	GroupsDescriptor groups(Criteria criteria) {
		return GroupsDescriptor.of(this.administration.groups(criteria.range()));
	}

	Optional<ContentDescriptor> message(String messageId) {
		return this.showPayloads
				? this.administration.find(messageId, ContentDescriptor.MAX_PAYLOAD).map(ContentDescriptor::shown)
				: this.administration.find(messageId, 0).map(ContentDescriptor::masked);
	}

	List<InstanceDescriptor> instances() {
		return this.instances.list();
	}

	/**
	 * Return how many messages all instances have published in each of the last minutes.
	 * @return the numbers, the last minute last, {@code null} if no table has them
	 */
	public @Nullable List<Long> publishedPerMinute() {
		return this.instances.publishedPerMinute();
	}

	Map<String, String> configuration() {
		return this.configuration;
	}

	/**
	 * Pause or resume the relay of this instance or those of all, or apply a verb.
	 */
	Answer act(String action, Criteria criteria, RerouteRequest request, boolean dryRun) {
		if (action.equals(REROUTE)) {
			return reroute(criteria, request, dryRun);
		}
		if (action.equals(REPLAY)) {
			return replay(criteria, request, dryRun);
		}
		if (!request.equals(RerouteRequest.NONE)) {
			return Answer.problem(400,
					"'%s' takes no destination and no pace, only 'reroute' and 'replay' do".formatted(action));
		}
		if (action.equals(PAUSE) || action.equals(RESUME)) {
			boolean pause = action.equals(PAUSE);
			if (dryRun || criteria.namesMessages()) {
				return Answer.problem(400, "'%s' takes neither messages nor 'dryRun', only 'all'".formatted(action));
			}
			return Boolean.TRUE.equals(criteria.all()) ? pauseAll(pause) : pause(pause);
		}
		return Names.find(OperatorVerb.class, action)
			.map((verb) -> apply(verb, criteria, dryRun))
			.orElseGet(
					() -> Answer.notFound("There is no '%s', only %s".formatted(action, Names.enumerated(actions()))));
	}

	private Answer reroute(Criteria criteria, RerouteRequest request, boolean dryRun) {
		return answer(() -> {
			MessageSelection selection = criteria.ofReroute(request.namesMessages());
			Reroute reroute = request.reroute();
			return told(REROUTE, selection, dryRun ? this.administration.dryRun(selection, reroute)
					: this.administration.reroute(selection, reroute));
		});
	}

	private Answer replay(Criteria criteria, RerouteRequest request, boolean dryRun) {
		return answer(() -> {
			ArchiveReplay replay = request.replay(criteria.ofReplay(), criteria.range());
			return dryRun ? this.administration.dryRun(replay) : this.administration.replay(replay);
		});
	}

	private Answer apply(OperatorVerb verb, Criteria criteria, boolean dryRun) {
		return answer(() -> {
			MessageSelection selection = criteria.ofTimelessVerb();
			return told(Names.of(verb), selection,
					dryRun ? this.administration.dryRun(verb, selection) : this.administration.apply(verb, selection));
		});
	}

	private Object told(String verb, MessageSelection selection, VerbResult result) {
		boolean hasFoundNothing = result.affected() == 0 && result.passedOver() == 0;
		return (hasFoundNothing && isArchived(selection))
				? Answer.problem(409,
						"The message was published and is in the archive: there is nothing to %s".formatted(verb))
				: result;
	}

	private boolean isArchived(MessageSelection selection) {
		return selection.by() == By.MESSAGE_ID && this.administration.hasArchive()
				&& !this.administration.list(MessageState.ARCHIVED, selection, null, 1).messages().isEmpty();
	}

	private Answer pauseAll(boolean pause) {
		return answer(() -> {
			this.instances.pause(pause);
			record(pause, "all instances");
			return relay();
		});
	}

	private void record(boolean pause, String what) {
		this.operations.journal().record((pause ? PAUSE : RESUME).toUpperCase(Locale.ROOT), what);
	}

	private Answer pause(boolean pause) {
		if (this.relay == null) {
			return Answer.problem(409, "This instance only writes: ask one that relays, or pause all");
		}
		if (pause) {
			this.relay.pause();
			record(true, ThisInstance.words());
			return new Answer(200, relay());
		}
		if (this.relay.status().pauses().contains(PauseScope.ALL)) {
			return Answer.problem(409, "All instances are paused: resume all of them");
		}
		this.relay.resume();
		record(false, ThisInstance.words());
		return new Answer(200, relay());
	}

}
