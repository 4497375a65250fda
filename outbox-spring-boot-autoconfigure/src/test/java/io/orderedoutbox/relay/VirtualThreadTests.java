/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.orderedoutbox.inbox.ProcessOnce;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.TestQueue;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.core.task.VirtualThreadTaskExecutor;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What there is of virtual threads: the application may publish and listen on them, and
 * the relay works on threads of its own, which are none.
 */
@Tag("order")
@EnabledForJreRange(min = JRE.JAVA_21)
class VirtualThreadTests {

	private static final int KEYS = 50;

	private static final int VERSIONS = 10;

	@Test
	void whatVirtualThreadsPublishArrivesInOrder() {
		try (TestQueue queue = TestQueue.forEverything(); OutboxApplication application = start(queue).start()) {
			publish(application);
			queue.await(KEYS * VERSIONS);
			for (int key = 0; key < KEYS; key++) {
				assertThat(queue.versionsOf("key-" + key))
					.isEqualTo(IntStream.rangeClosed(1, VERSIONS).boxed().toList());
			}
		}
	}

	// Before Java 24 a thread is pinned wherever anybody synchronizes, such as in a
	// driver
	@Test
	@EnabledForJreRange(min = JRE.JAVA_24)
	void noThreadThatPublishesIsPinned(@TempDir Path directory) throws IOException {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = start(queue).start();
				Recording recording = new Recording()) {
			// A class that is being initialized pins whoever waits for it
			publish(application);
			recording.enable("jdk.VirtualThreadPinned").withoutThreshold();
			recording.enable("jdk.VirtualThreadStart");
			recording.start();
			publish(application);
			recording.stop();
			recording.dump(directory.resolve("pinned.jfr"));
		}
		List<RecordedEvent> events = RecordingFile.readAllEvents(directory.resolve("pinned.jfr"));
		assertThat(events).hasSizeGreaterThanOrEqualTo(KEYS);
		assertThat(events).noneMatch(VirtualThreadTests::pinsWhilePublishing);
	}

	// The recorder itself pins a thread whose start it notes
	private static boolean pinsWhilePublishing(RecordedEvent event) {
		return event.getEventType().getName().equals("jdk.VirtualThreadPinned")
				&& !(event.getStackTrace() != null && event.getStackTrace()
					.getFrames()
					.get(0)
					.getMethod()
					.getType()
					.getName()
					.startsWith("jdk.internal.event."));
	}

	@Test
	void theThreadsOfARelayAreNone() {
		try (TestQueue queue = TestQueue.forEverything(); OutboxApplication application = start(queue).start()) {
			application.publish(new OrderPlaced("a", 1));
			queue.await(1);
			// It knows no virtual ones
			assertThat(Thread.getAllStackTraces().keySet()).extracting(Thread::getName)
				.anyMatch((name) -> name.startsWith("outbox-relay"));
		}
	}

	@Test
	void aListenerProcessesOnceOnAVirtualThread() throws IOException {
		try (TestQueue queue = TestQueue.forEverything()) {
			String own = queue.exchange() + "-listener";
			queue.channel().queueDeclare(own, true, false, true, Map.of());
			queue.channel().queueBind(own, queue.exchange(), "#");
			try (OutboxApplication application = start(queue).with(Consumer.class)
				.with("consumer.queue", own)
				.with("outbox.inbox.enabled", true)
				.with("outbox.inbox.initialize-schema", "always")
				.with("outbox.inbox.type-packages", OrderPlaced.class.getPackageName())
				.start()) {
				application.publish(new OrderPlaced("a", 1));
				// The bean is a proxy, which has no fields of its own
				Consumer consumer = application.bean(Consumer.class);
				Awaitility.await().until(() -> !consumer.threads().isEmpty());
				assertThat(consumer.threads()).hasSize(1).allMatch((thread) -> thread.startsWith("VirtualThread"));
				Awaitility.await()
					.until(() -> application.jdbc()
						.sql("SELECT COUNT(*) FROM inbox_message")
						.query(Integer.class)
						.single() == 1);
			}
		}
	}

	private static OutboxApplication.Builder start(TestQueue queue) {
		return OutboxApplication.on(Servers.database().fresh())
			.sendingTo(queue)
			.with("spring.threads.virtual.enabled", true);
	}

	// Each key has a thread, and more of them publish than there are connections
	private static void publish(OutboxApplication application) {
		Executor threads = new VirtualThreadTaskExecutor("publisher-");
		Stream<CompletableFuture<Void>> published = IntStream.range(0, KEYS)
			.mapToObj((key) -> CompletableFuture.runAsync(() -> publish(application, "key-" + key), threads));
		CompletableFuture.allOf(published.toArray(CompletableFuture<?>[]::new)).join();
	}

	private static void publish(OutboxApplication application, String key) {
		for (int version = 1; version <= VERSIONS; version++) {
			OrderPlaced event = new OrderPlaced(key, version);
			application.publish(event);
		}
	}

	static class Consumer {

		private final List<String> threads = new CopyOnWriteArrayList<>();

		@ProcessOnce("consumer")
		@RabbitListener(queues = "${consumer.queue}")
		public void on(OrderPlaced event) {
			this.threads.add(Thread.currentThread().toString());
		}

		List<String> threads() {
			return this.threads;
		}

	}

}
