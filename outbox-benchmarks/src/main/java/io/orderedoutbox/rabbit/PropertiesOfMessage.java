/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.rabbit;

import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

import io.orderedoutbox.Destination;
import io.orderedoutbox.store.Message;
import io.orderedoutbox.store.StoredMessage;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What it costs to make the AMQP properties of a message.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class PropertiesOfMessage {

	private final StoredMessage plain = stored(Map.of());

	private final StoredMessage correlated = stored(Map.of("x-correlation-id", "6f1c1cf0-62a5-4a2c-a7b5-0c5c2c9b2a11"));

	private final WireFormat format = new WireFormat(OptionalHeaders.NONE, (message) -> 0);

	private static StoredMessage stored(Map<String, Object> headers) {
		Message message = new Message(UUID.randomUUID(), "order.placed", "key-1",
				new Destination("shop", "order.placed"), "application/json", new byte[400], headers);
		return new StoredMessage(1, message, Instant.now(), 0, null);
	}

	/**
	 * Of a message without headers of its own.
	 */
	@Benchmark
	public Object plain() {
		return this.format.properties(this.plain);
	}

	/**
	 * Of a message with one.
	 */
	@Benchmark
	public Object correlated() {
		return this.format.properties(this.correlated);
	}

}
