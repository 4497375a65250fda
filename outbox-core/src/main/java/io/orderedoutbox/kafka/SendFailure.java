/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.kafka;

import java.util.Set;

import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.InvalidPidMappingException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.UnknownProducerIdException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.jspecify.annotations.Nullable;

/**
 * What it means that a producer has not sent a record.
 * <ol>
 * <li>The broker has no such topic: the message cannot be routed.</li>
 * <li>The record was in one batch with another that the broker refused, and nothing else
 * is wrong with it: it is sent again.</li>
 * <li>The producer is not trusted by the broker, or has lost count of what it has sent,
 * or has tried for too long: it is used no more, and what became of the record is
 * unknown.</li>
 * <li>The broker refuses the time of the record, which is that of the clock of this
 * machine: the message can leave when the clock is right again, or from another
 * machine.</li>
 * <li>Any other refusal, for example of a record that is too large or of a topic that the
 * user must not write to: the message has failed.</li>
 * </ol>
 */
enum SendFailure {

	/**
	 * There is no such topic.
	 */
	NO_TOPIC,

	/**
	 * The broker refused another record.
	 */
	OF_ANOTHER,

	/**
	 * The broker or the producer is to blame.
	 */
	OF_TRANSPORT,

	/**
	 * The clock of this machine is to blame, or the limits that the topic has for it.
	 */
	OF_CLOCK,

	/**
	 * The message, or its topic, is to blame.
	 */
	OF_MESSAGE;

	private static final Set<Class<? extends ApiException>> FATAL = Set.of(AuthenticationException.class,
			ClusterAuthorizationException.class, OutOfOrderSequenceException.class, ProducerFencedException.class,
			InvalidProducerEpochException.class, InvalidPidMappingException.class, UnknownProducerIdException.class,
			UnsupportedVersionException.class);

	static SendFailure of(Throwable failure) {
		if (isUnknownTopic(failure) || isUnknownTopic(failure.getCause())) {
			return NO_TOPIC;
		}
		// The broker names the records that it refuses; the client has no class of its
		// own for the others of the batch
		if (failure.getClass() == KafkaException.class) {
			return OF_ANOTHER;
		}
		if (isOfClock(failure)) {
			return OF_CLOCK;
		}
		boolean isRefusal = failure instanceof ApiException && !(failure instanceof RetriableException)
				&& FATAL.stream().noneMatch((type) -> type.isInstance(failure));
		return (isRefusal || failure instanceof SerializationException) ? OF_MESSAGE : OF_TRANSPORT;
	}

	// Of several records in a batch the client says no more than what the broker has
	// written
	private static boolean isOfClock(Throwable failure) {
		return failure instanceof InvalidTimestampException || (failure instanceof InvalidRecordException
				&& String.valueOf(failure.getMessage()).startsWith("Timestamp "));
	}

	private static boolean isUnknownTopic(@Nullable Throwable failure) {
		return failure instanceof UnknownTopicOrPartitionException;
	}

}
