/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.admin;

import java.util.Iterator;
import java.util.function.Consumer;

import io.orderedoutbox.OutboxConfigurationException;

/**
 * What operators can do with what was published, as long as it is kept, and how they take
 * out messages of any state.
 */
public interface OutboxHistory {

	/**
	 * Return whether what was published is kept.
	 * @return whether there is an archive
	 */
	default boolean hasArchive() {
		return false;
	}

	/**
	 * Send messages of the archive again, with the same message ids and the header
	 * {@link io.orderedoutbox.HeaderStamp#REPLAYED_AT_HEADER}: they are put into the
	 * outbox once more, a part at a time, and relays send them like all others. The
	 * archive keeps what it has, and gets what was replayed once more when it is
	 * published. What was itself a replay is not replayed.
	 * <p>
	 * Guaranteed: the messages of a partition key arrive in the order in which they were
	 * published the first time. Not guaranteed: an order between them and what is
	 * published meanwhile: each part is at the tail of its keys.
	 * <p>
	 * The call returns when all is in the outbox, which takes as long as the pace
	 * demands. What has been put there stays there if the call fails.
	 * @param replay which messages, where to, and how fast
	 * @return what was done
	 * @throws OutboxConfigurationException if there is no archive
	 */
	VerbResult replay(ArchiveReplay replay);

	/**
	 * Find out what {@link #replay} would do now, and do not do it.
	 * @param replay which messages
	 * @return what would have been done
	 * @throws OutboxConfigurationException if there is no archive
	 */
	VerbResult dryRun(ArchiveReplay replay);

	/**
	 * Read messages of a state with all that they carry, in the order of
	 * {@linkplain OutboxAdministration#list their list}, but what is archived the oldest
	 * first. Every message that is in the state from the first part that is read to the
	 * last is read once; one that enters or leaves it meanwhile may be read or not.
	 * {@link MessageSummary#waitingBehind()} is not counted.
	 * <p>
	 * The iterator is for one thread. It reads a part when it is asked for more than it
	 * has: at most a hundred messages, and about 4 MB of payloads unless one alone is
	 * larger. Between two parts it has neither a connection nor a transaction, so that it
	 * need not be closed, and may be asked as slowly as its messages are needed. If the
	 * database does not answer, {@code hasNext} and {@code next} throw a
	 * {@link org.springframework.dao.DataAccessException} or a
	 * {@link org.springframework.transaction.TransactionException}, and can be called
	 * again.
	 * @param export which messages; a group only of those that have failed
	 * @return the messages; nothing is read before it is asked for them
	 * @throws IllegalArgumentException if such messages cannot be exported
	 * @throws OutboxConfigurationException if archived messages are asked for, and there
	 * is no archive
	 */
	Iterator<MessageContent> export(MessageExport export);

	/**
	 * Read messages of a state with all that they carry, as
	 * {@link #export(MessageExport)} does.
	 * @param state in which state
	 * @param selection which messages; a group only of those that have failed
	 * @param range of which time
	 * @param target is given one after the other, such as {@link JsonLines}
	 * @return how many there were
	 * @throws IllegalArgumentException if such messages cannot be exported
	 * @throws OutboxConfigurationException if archived messages are asked for, and there
	 * is no archive
	 */
	default long export(MessageState state, MessageSelection selection, TimeRange range,
			Consumer<MessageContent> target) {
		Iterator<MessageContent> messages = export(MessageExport.of(state).selecting(selection).during(range));
		long exported = 0;
		while (messages.hasNext()) {
			target.accept(messages.next());
			exported++;
		}
		return exported;
	}

}
