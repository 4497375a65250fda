/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.admin;

import java.util.Optional;

import io.orderedoutbox.OutboxConfigurationException;
import org.jspecify.annotations.Nullable;

/**
 * What an operator sees of the messages that are stuck, and what can be done about them.
 * <p>
 * A message is <em>stalled</em> if it has failed and will be tried again,
 * <em>blocked</em> if it has failed and waits for an operator; in ordered mode everything
 * behind it in its partition key waits as well. The same is true of a message that is
 * <em>delayed</em>: it has not failed, but is not sent before its time. A <em>dead
 * letter</em> has been taken out of the outbox: no message waits for it, and no relay
 * sends it. An <em>archived</em> message was published, and is kept for a while where
 * there is an archive; no verb touches it, but it can be {@linkplain #replay sent again}.
 * <p>
 * Guaranteed: a verb acts on a message only while it has locked it, so that no relay
 * sends it; it waits a few seconds for a relay that does. A verb works in short
 * transactions of its own, even if the caller is in a transaction, and what the verb has
 * done stays done if the caller's transaction is rolled back. Not guaranteed: that
 * everything selected is done in one go. If the database is lost in the middle, what was
 * committed by then stays, and the call can be repeated.
 * <p>
 * {@link OperatorVerb#SKIP} and {@link OperatorVerb#REQUEUE} step outside the order of a
 * partition key: the first leaves a gap, the second fills it at the tail. A relay that
 * was paused for longer than the lock timeout while it was about to send a message may
 * still send that message once, after it was skipped or discarded.
 */
public interface OutboxAdministration extends OutboxHistory {

	/**
	 * Greatest size of a page.
	 */
	int MAX_PAGE_SIZE = 200;

	/**
	 * How many of the oldest messages are searched for a message id.
	 */
	int MAX_SEARCHED = 100_000;

	/**
	 * List messages of a state:
	 * <ul>
	 * <li>{@link MessageState#PENDING}: what has not failed, whether it waits for its key
	 * or is due, oldest first;</li>
	 * <li>{@link MessageState#DUE}: what waits for nothing but its turn, what a relay is
	 * sending included, oldest first. What has failed, and in ordered mode what is behind
	 * it, is among them as soon as it is to be tried again;</li>
	 * <li>{@link MessageState#DELAYED}: what is not sent before its time, which has not
	 * come, oldest first;</li>
	 * <li>{@link MessageState#STALLED} and {@link MessageState#BLOCKED}: what has failed,
	 * in the order in which the keys were parked;</li>
	 * <li>{@link MessageState#DEAD}: dead letters, in the order in which they were given
	 * up;</li>
	 * <li>{@link MessageState#ARCHIVED}: what was published, the last one first, as long
	 * as it is kept.</li>
	 * </ul>
	 * For a page at most {@value OutboxFigures#MAX_EXAMINED} pending, due or delayed
	 * messages are looked at, or as many parked keys for stalled and blocked ones, so
	 * that it can be short, even empty, while there is a next one. By key, in ordered
	 * mode, only the partition of the key is looked at, and an index finds a parked key.
	 * Dead and archived messages are always found by an index.
	 * <p>
	 * A range of time narrows the list to what was stored then; of dead letters and of
	 * what is archived, to what became a dead letter or was published then. Only for what
	 * is archived an index finds it, so that pages of other states can be short, even
	 * empty, while there is a next one.
	 * @param state of which state
	 * @param selection which of them
	 * @param range of which time
	 * @param after where the last page ended: its {@link OutboxPage#next()}, or
	 * {@code null} for the first page
	 * @param size how many at most, between 1 and {@value #MAX_PAGE_SIZE}
	 * @return a page; a message that is stalled, blocked, dead or archived all the while
	 * appears on exactly one page
	 * @throws IllegalArgumentException if the size or the cursor is not valid, or if a
	 * group is asked for in a state in which messages have not failed
	 * @throws OutboxConfigurationException if archived messages are asked for, and there
	 * is no archive
	 */
	OutboxPage list(MessageState state, MessageSelection selection, TimeRange range, @Nullable String after, int size);

	/**
	 * List messages of a state, of any time.
	 * @param state of which state
	 * @param selection which of them
	 * @param after where the last page ended, or {@code null} for the first page
	 * @param size how many at most
	 * @return a page
	 * @see #list(MessageState, MessageSelection, TimeRange, String, int)
	 */
	default OutboxPage list(MessageState state, MessageSelection selection, @Nullable String after, int size) {
		return list(state, selection, TimeRange.ALWAYS, after, size);
	}

	/**
	 * Group what has failed by destination and cause, looking at the
	 * {@value OutboxFigures#MAX_FAILED} keys that were parked first, as
	 * {@link #figures()} does, and at as many of the oldest dead letters. A verb for a
	 * {@linkplain MessageSelection#group group} is applied to all of it, also to what was
	 * not looked at here.
	 * <p>
	 * A range of time narrows the groups to what was stored then, and of dead letters to
	 * what became one then, as it does for {@link #list lists}. The same keys are looked
	 * at, whether they are of that time or not, and the oldest dead letters of that time.
	 * @param range of which time
	 * @return the groups
	 */
	FailureGroups groups(TimeRange range);

	/**
	 * Group what has failed, of any time.
	 * @return the groups
	 * @see #groups(TimeRange)
	 */
	default FailureGroups groups() {
		return groups(TimeRange.ALWAYS);
	}

	/**
	 * Find one message with what it carries, in any state.
	 * @param messageId its id as it is stored
	 * @param payloadBytes how much of the payload to read, zero for nothing
	 * @return the message; nothing if there is none, or if more than
	 * {@value #MAX_SEARCHED} messages are older than it, unless it is the head of one of
	 * the {@value OutboxFigures#MAX_EXAMINED} keys that were parked first: message ids
	 * have no index
	 * @throws IllegalArgumentException if it can be no message id
	 */
	Optional<MessageContent> find(String messageId, int payloadBytes);

	/**
	 * Find out how the outbox is doing. Costs a few short statements.
	 * @return the figures
	 */
	OutboxFigures figures();

	/**
	 * Do what the verb says to all that is selected and was stuck, or dead, when the call
	 * began: a message that fails meanwhile is not touched, so that at most one message
	 * of a partition key is skipped.
	 * @param verb what to do
	 * @param selection to which messages
	 * @return what was done
	 */
	VerbResult apply(OperatorVerb verb, MessageSelection selection);

	/**
	 * Find out what {@link #apply} would do now, and do not do it. Messages are locked
	 * for a moment, as the verb would lock them, with the same patience, and let go.
	 * @param verb what would be done
	 * @param selection to which messages
	 * @return what would have been done
	 */
	VerbResult dryRun(OperatorVerb verb, MessageSelection selection);

	/**
	 * Try stalled and blocked messages again at once, as if they had never failed.
	 * @param selection which of them
	 * @return what was done
	 */
	default VerbResult retry(MessageSelection selection) {
		return apply(OperatorVerb.RETRY, selection);
	}

	/**
	 * Let delayed messages be sent before their time: as soon as it is the turn of each.
	 * All that is in the outbox when the call begins is looked through, without locks.
	 * @param selection which of them, no group
	 * @return what was done
	 */
	default VerbResult release(MessageSelection selection) {
		return apply(OperatorVerb.RELEASE, selection);
	}

	/**
	 * Make dead letters of stalled and blocked messages, so that what waits behind them
	 * goes on: one message of each partition key, not its whole backlog.
	 * @param selection which of them
	 * @return what was done
	 */
	default VerbResult skip(MessageSelection selection) {
		return apply(OperatorVerb.SKIP, selection);
	}

	/**
	 * Send dead letters after all, with the same message ids, at the tail of their
	 * partition keys. Those of one key that are requeued together keep their order.
	 * @param selection which of them
	 * @return what was done
	 */
	default VerbResult requeue(MessageSelection selection) {
		return apply(OperatorVerb.REQUEUE, selection);
	}

	/**
	 * Delete dead letters for ever.
	 * @param selection which of them
	 * @return what was done
	 */
	default VerbResult discard(MessageSelection selection) {
		return apply(OperatorVerb.DISCARD, selection);
	}

	/**
	 * Give messages another destination: those that are stuck, those that wait, and dead
	 * letters. Message ids and the order of each key stay. A key whose first message is
	 * rerouted is tried again at once, as if it had never failed; a dead letter stays one
	 * until it is {@linkplain #requeue requeued}. What goes there already is not touched.
	 * <p>
	 * All that is in the outbox when the call begins is looked through, without locks.
	 * Not rerouted is what is published meanwhile by instances that still have the old
	 * configuration: call it again once they are gone. A relay that was paused for longer
	 * than the lock timeout while it was about to send a message may still send that
	 * message to the old destination as well.
	 * @param selection which messages
	 * @param reroute from where to where
	 * @return what was done
	 */
	VerbResult reroute(MessageSelection selection, Reroute reroute);

	/**
	 * Find out what {@link #reroute} would do now, and do not do it, as {@link #dryRun}
	 * does for the other verbs.
	 * @param selection which messages
	 * @param reroute from where to where
	 * @return what would have been done
	 */
	VerbResult dryRun(MessageSelection selection, Reroute reroute);

}
