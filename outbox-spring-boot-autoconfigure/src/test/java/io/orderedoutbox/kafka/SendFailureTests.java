/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.kafka;

import java.util.stream.Stream;

import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Who is to blame for what a producer says.
 */
@Tag("unit")
class SendFailureTests {

	static Stream<Arguments> failures() {
		return Stream.of(arguments(new RecordTooLargeException("too large"), SendFailure.OF_MESSAGE),
				arguments(new InvalidRecordException("no key"), SendFailure.OF_MESSAGE),
				arguments(new InvalidTimestampException("out of range"), SendFailure.OF_CLOCK),
				arguments(new InvalidRecordException("Timestamp 1 of message with offset 0 is out of range"),
						SendFailure.OF_CLOCK),
				arguments(new InvalidTopicException("no name"), SendFailure.OF_MESSAGE),
				arguments(new TopicAuthorizationException("not you"), SendFailure.OF_MESSAGE),
				arguments(new SerializationException("no bytes"), SendFailure.OF_MESSAGE),
				arguments(new KafkaException("part of a batch"), SendFailure.OF_ANOTHER),
				arguments(new TimeoutException("not present in metadata", new UnknownTopicOrPartitionException("no")),
						SendFailure.NO_TOPIC),
				arguments(new UnknownTopicOrPartitionException("no"), SendFailure.NO_TOPIC),
				arguments(new TimeoutException("not present in metadata"), SendFailure.OF_TRANSPORT),
				arguments(new NotEnoughReplicasException("one"), SendFailure.OF_TRANSPORT),
				arguments(new SaslAuthenticationException("who"), SendFailure.OF_TRANSPORT),
				arguments(new ClusterAuthorizationException("not you"), SendFailure.OF_TRANSPORT),
				arguments(new OutOfOrderSequenceException("lost count"), SendFailure.OF_TRANSPORT),
				arguments(new InterruptException("stop"), SendFailure.OF_TRANSPORT),
				arguments(new IllegalStateException("closed"), SendFailure.OF_TRANSPORT));
	}

	@ParameterizedTest
	@MethodSource("failures")
	void eachFailureHasOneMeaning(Throwable failure, SendFailure meaning) {
		assertThat(SendFailure.of(failure)).isEqualTo(meaning);
	}

}
