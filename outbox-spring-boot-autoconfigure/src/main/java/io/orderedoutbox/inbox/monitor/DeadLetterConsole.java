/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.monitor;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.orderedoutbox.inbox.ParkingTime;
import io.orderedoutbox.inbox.listener.DeadLetterVerbs;
import io.orderedoutbox.inbox.listener.ReplayFailedException;
import io.orderedoutbox.inbox.listener.ReplayResult;
import io.orderedoutbox.inbox.listener.SequenceFigures;
import io.orderedoutbox.inbox.listener.SequenceSampler;
import io.orderedoutbox.inbox.shard.ShardQueues;
import io.orderedoutbox.inbox.shard.ShardSampler;
import io.orderedoutbox.inbox.shard.ShardStatus;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.core.NestedExceptionUtils;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.TransactionException;
import org.springframework.util.StringUtils;

/**
 * What endpoint, page and metrics have in common about dead letters of shards: what they
 * show, which waits neither for the broker nor, unless it is of a range of time, for the
 * database, and what they do, which waits for both.
 */
public final class DeadLetterConsole {

	/**
	 * All that {@link #act} can do.
	 */
	public static final List<String> VERBS = List.of("replay", "discard");

	private static final Logger logger = LoggerFactory.getLogger(DeadLetterConsole.class);

	private final List<ShardQueues> shards;

	private final ShardSampler depths;

	private final SequenceSampler sequences;

	private final @Nullable DeadLetterVerbs verbs;

	/**
	 * Create a console.
	 * @param shards the queues of this application
	 * @param depths knows what the broker says of the queues of dead letters
	 * @param sequences knows what the database says of dead letters that others follow
	 * @param verbs replays and removes them, {@code null} if that is not possible here
	 */
	public DeadLetterConsole(List<ShardQueues> shards, ShardSampler depths, SequenceSampler sequences,
			@Nullable DeadLetterVerbs verbs) {
		this.shards = List.copyOf(shards);
		this.depths = depths;
		this.sequences = sequences;
		this.verbs = verbs;
	}

	List<DeadLetterDescriptor> overview() {
		Duration age = this.sequences.age();
		return this.shards.stream()
			.map((queues) -> DeadLetterDescriptor.of(queues, depth(queues), figures(queues),
					(age != null) ? age.toMillis() : 0))
			.toList();
	}

	/**
	 * What is shown of the keys that were parked in a range of time. The database is
	 * asked, unless that is any time.
	 * @param from since when, as a request says it
	 * @param until before when
	 * @return a {@link DeadLetterDescriptor} for each name of shards, or the problem
	 */
	public VerbAnswer overview(@Nullable String from, @Nullable String until) {
		try {
			ParkingTime time = ParkingTime.of(from, until);
			return new VerbAnswer(200,
					time.equals(ParkingTime.ANY) ? overview()
							: this.shards.stream()
								.map((queues) -> DeadLetterDescriptor.of(queues, depth(queues),
										this.sequences.ask(queues.name(), time), 0))
								.toList());
		}
		catch (IllegalArgumentException ex) {
			return VerbAnswer.problem(400, String.valueOf(ex.getMessage()));
		}
		catch (DataAccessException | TransactionException ex) {
			logger.debug("Dead letters of a range of time could not be found", ex);
			return VerbAnswer.problem(503, "The database does not tell of dead letters: "
					+ NestedExceptionUtils.getMostSpecificCause(ex).getMessage());
		}
	}

	List<ShardQueues> shards() {
		return this.shards;
	}

	boolean hasSequences() {
		return this.sequences.hasSequences();
	}

	@Nullable ShardStatus depth(ShardQueues queues) {
		return this.depths.status(queues.deadLetters());
	}

	@Nullable SequenceFigures figures(ShardQueues queues) {
		return this.sequences.current(queues.name());
	}

	/**
	 * Replay the dead letters of some shards, or discard one of them.
	 * @param verb what to do
	 * @param name the name of the shards
	 * @param id of discard: the message id
	 * @return what was done, or the problem
	 */
	public VerbAnswer act(String verb, @Nullable String name, @Nullable String id) {
		if (!VERBS.contains(verb)) {
			return VerbAnswer.problem(404, "There is no '%s', only %s".formatted(verb, String.join(", ", VERBS)));
		}
		boolean discards = verb.equals("discard");
		if (!StringUtils.hasLength(name)) {
			return VerbAnswer.problem(400, "Say whose dead letters are meant with 'shards': %s".formatted(names()));
		}
		if (discards != StringUtils.hasLength(id)) {
			return VerbAnswer.problem(400, discards ? "Say with 'id' which dead letter to discard"
					: "'replay' takes no 'id': it replays all dead letters of the shards");
		}
		ShardQueues queues = this.shards.stream().filter((one) -> one.name().equals(name)).findFirst().orElse(null);
		if (queues == null) {
			return VerbAnswer.problem(404, "There are no shards '%s', only %s".formatted(name, names()));
		}
		DeadLetterVerbs possible = this.verbs;
		if (possible == null) {
			return VerbAnswer.problem(409,
					"The application has several connection factories, and none that is primary: use a DeadLetterReplay of your own");
		}
		return (discards && id != null) ? answer(() -> discard(possible, queues, id))
				: answer(() -> replay(possible, queues));
	}

	private String names() {
		return this.shards.stream().map(ShardQueues::name).collect(Collectors.joining(", "));
	}

	private static VerbDescriptor replay(DeadLetterVerbs verbs, ShardQueues queues) {
		ReplayResult result = verbs.replay(queues);
		return new VerbDescriptor(result.replayed(), result.left());
	}

	private static VerbDescriptor discard(DeadLetterVerbs verbs, ShardQueues queues, String id) {
		return new VerbDescriptor(verbs.discard(queues, id) ? 1 : 0, null);
	}

	private static VerbAnswer answer(Supplier<VerbDescriptor> work) {
		try {
			return new VerbAnswer(200, work.get());
		}
		catch (IllegalStateException | IllegalTransactionStateException ex) {
			return VerbAnswer.problem(409, String.valueOf(ex.getMessage()));
		}
		catch (ReplayFailedException ex) {
			logger.debug("A verb for dead letters could not be applied", ex);
			return VerbAnswer.problem(503, String.valueOf(ex.getMessage()));
		}
		catch (RuntimeException ex) {
			logger.atWarn()
				.setCause(ex)
				.addKeyValue("error", ex.toString())
				.log("A verb for dead letters could not be applied");
			return VerbAnswer.problem(500, "This could not be done: the log of the application says why");
		}
	}

}
