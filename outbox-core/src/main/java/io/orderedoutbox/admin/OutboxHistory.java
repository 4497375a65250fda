/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.admin;

import java.util.function.Consumer;

import io.orderedoutbox.OutboxConfigurationException;

/**
 * What operators can do with what has left the outbox: what was published, as long as it
 * is kept, and dead letters.
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
	 * Read what is dead or archived with all that it carries, the oldest first. Every
	 * message that is there from the beginning to the end of the call is read once.
	 * @param state dead or archived
	 * @param selection which messages, no group
	 * @param range when they became dead letters, or were published
	 * @param target is given one after the other, such as {@link JsonLines}
	 * @return how many there were
	 * @throws OutboxConfigurationException if archived messages are asked for, and there
	 * is no archive
	 */
	long export(MessageState state, MessageSelection selection, TimeRange range, Consumer<MessageContent> target);

}
