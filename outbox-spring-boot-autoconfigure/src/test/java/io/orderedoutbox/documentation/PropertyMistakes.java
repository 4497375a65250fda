/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.documentation;

import java.util.List;

/**
 * Mistakes that properties alone make. Those of {@code outbox.jdbc.print-schema} are left
 * to {@code SchemaPrinterTests}: it silences the log of the process, and of other tests.
 */
final class PropertyMistakes {

	static final List<Mistake> VALUES = List.of(Mistake.properties("outbox.enabled=perhaps"),
			Mistake.properties("outbox.relay.mode=sometimes"), Mistake.properties("outbox.relay.workers=0"),
			Mistake.properties("outbox.relay.workers=many"), Mistake.properties("outbox.relay.pool-size=0"),
			Mistake.properties("outbox.relay.poll-interval=often"), Mistake.properties("outbox.relay.stop-timeout=-1s"),
			Mistake.properties("outbox.relay.batch-bytes=large"), Mistake.properties("outbox.retry.jitter=1.5"),
			Mistake.properties("outbox.retry.jitter=much"), Mistake.properties("outbox.retry.on-exhausted=drop"),
			Mistake.properties("outbox.max-payload-size=0B"), Mistake.properties("outbox.partitions=1001"),
			Mistake.properties("outbox.payload.compression.max-decompressed-size=2GB"),
			Mistake.properties("outbox.payload.compression.undone-by=broker"),
			Mistake.properties("outbox.payload.compression.min-size=-1B"),
			Mistake.properties("outbox.archive.retention=0s"), Mistake.properties("outbox.dead-letters.retention=-7d"),
			Mistake.properties("outbox.capture.retention=59s"),
			Mistake.properties("outbox.jdbc.initialize-schema=maybe"),
			Mistake.properties("outbox.jdbc.table-prefix=shop."),
			Mistake.properties("outbox.monitor.sample-interval=10ms"),
			Mistake.properties("outbox.monitor.enabled=true", "outbox.monitor.path=outbox/"),
			Mistake.properties("outbox.monitor.enabled=true", "outbox.monitor.allowed-hosts=http://shop"),
			Mistake.properties("outbox.health.lag-threshold=-1s"),
			Mistake.properties("outbox.health.depth-threshold=-1"), Mistake.properties("outbox.health.status=sideways"),
			Mistake.properties("outbox.rabbit.format=xml"),
			Mistake.properties("outbox.rabbit.routes.order.placed.exchange=shop"),
			Mistake.properties("outbox.rabbit.format=cloudevents", "outbox.rabbit.cloud-events.source=the shop"),
			Mistake.properties("outbox.inbox.table=the-inbox"), Mistake.properties("outbox.inbox.retention=0s"),
			Mistake.properties("outbox.inbox.health-threshold=-1s"),
			Mistake.properties("outbox.inbox.types[order.placed]=com.example.shop.Nowhere"),
			Mistake.properties("outbox.inbox.type-packages=com.example.nowhere"),
			Mistake.properties("outbox.rabbit.shards.count=0"),
			Mistake.properties("outbox.rabbit.shards.concurrency=0"),
			Mistake.properties("outbox.rabbit.shards.balance-interval=-1s"),
			Mistake.properties("outbox.rabbit.shards.retry.initial-interval=0s"),
			Mistake.properties("outbox.rabbit.shards.retry.multiplier=0.5"),
			Mistake.properties("outbox.rabbit.shards.retry.max-attempts=-1"));

	static final List<Mistake> TOGETHER = List.of(
			Mistake.properties("outbox.relay.confirm-timeout=20s", "outbox.relay.lock-timeout=30s"),
			Mistake.properties("outbox.retry.initial-interval=2m"),
			Mistake.properties("outbox.capture.retention=1d", "outbox.relay.mode=continuous"),
			Mistake.properties("outbox.rabbit.format=cloudevents"),
			Mistake.properties("outbox.inbox.table=shop", "outbox.inbox.dead-letter-table=shop"),
			Mistake.properties("outbox.rabbit.shards.count=4", "outbox.rabbit.exchange=shop"),
			Mistake.properties("outbox.rabbit.shards.count=4", "outbox.rabbit.shards.name=billing"),
			Mistake.properties("outbox.rabbit.shards.count=65", "outbox.rabbit.shards.name=billing",
					"outbox.rabbit.exchange=shop"),
			Mistake.properties("outbox.rabbit.shards.retry.initial-interval=1m"),
			Mistake.properties("outbox.rabbit.shards.retry.on-exhausted=dead-letter-sequence"));

	private PropertyMistakes() {
	}

}
