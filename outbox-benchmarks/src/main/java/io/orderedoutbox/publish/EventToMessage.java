/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish;

import java.util.UUID;
import java.util.concurrent.TimeUnit;

import com.fasterxml.uuid.Generators;
import io.orderedoutbox.OutboxMessage;
import io.orderedoutbox.PartitionKey;
import io.orderedoutbox.PartitionKeyStamp;
import io.orderedoutbox.Stamp;
import io.orderedoutbox.jdbc.Partitions;
import io.orderedoutbox.publish.key.PartitionKeyExtractor;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.util.unit.DataSize;

/**
 * What a published event costs before it is written: its key, its id, its JSON.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class EventToMessage {

	@Param({ "400", "4096" })
	int bytes;

	private final PartitionKeyExtractor keys = new PartitionKeyExtractor();

	private final MessageFactory messages = new MessageFactory(new AnnotatedMessageNamingStrategy(),
			(publication) -> Route.to("shop", publication.name()), new JsonPayloadSerializer(JsonMapper.shared()),
			Generators.timeBasedEpochGenerator()::generate, new Partitions()::of, DataSize.ofMegabytes(8));

	private final UUID orderId = UUID.randomUUID();

	/**
	 * The key of an event.
	 */
	@Benchmark
	public Object key() {
		return key(event());
	}

	/**
	 * All of it.
	 */
	@Benchmark
	public Object message() {
		OrderPlaced event = event();
		Stamp key = key(event);
		return this.messages.create(event, Stamps.of(key));
	}

	private PartitionKeyStamp key(OrderPlaced event) {
		PartitionKeyStamp key = this.keys.extract(event);
		if (key == null) {
			throw new IllegalStateException("The event has no key");
		}
		return key;
	}

	private OrderPlaced event() {
		return new OrderPlaced(this.orderId, 42, "x".repeat(this.bytes - 80));
	}

	/**
	 * An event.
	 *
	 * @param orderId its key
	 * @param number a number
	 * @param text the rest
	 */
	@OutboxMessage("order.placed")
	record OrderPlaced(@PartitionKey UUID orderId, long number, String text) {

	}

}
