/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay.payload;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import com.sun.management.ThreadMXBean;
import io.orderedoutbox.Destination;
import io.orderedoutbox.payload.PayloadTransformers;
import io.orderedoutbox.send.MessageSender;
import io.orderedoutbox.send.Outcome;
import io.orderedoutbox.send.SendingChannel;
import io.orderedoutbox.relay.StandingClaim;
import io.orderedoutbox.store.Claim;
import io.orderedoutbox.store.Claims;
import io.orderedoutbox.store.KeySequence;
import io.orderedoutbox.store.Message;
import io.orderedoutbox.store.RelayStore;
import io.orderedoutbox.store.StoredMessage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * A message that no transformer has changed, and that carries no reference, costs nothing
 * in addition.
 */
@Tag("unit")
class UntouchedMessageTests {

	private static final int MESSAGES = 100_000;

	private final Recorder recorder = new Recorder();

	private final MessageSender sender = new DecodingMessageSender((work) -> work.accept(this.recorder),
			PayloadTransformers.NONE);

	@Test
	void theMessageThatIsSentIsTheOneThatWasClaimed() {
		StoredMessage plain = message(Map.of());
		StoredMessage withHeader = message(Map.of("tenant", "blue"));
		this.sender.withChannel((channel) -> {
			channel.send(plain);
			assertThat(this.recorder.last).isSameAs(plain);
			channel.send(withHeader);
			assertThat(this.recorder.last).isSameAs(withHeader);
		});
	}

	@Test
	void sendingItAllocatesNothing() {
		StoredMessage plain = message(Map.of());
		StoredMessage withHeader = message(Map.of("tenant", "blue"));
		this.sender.withChannel((channel) -> {
			send(channel, plain, withHeader);
			assertThat(allocated(() -> send(channel, plain, withHeader))).isLessThan(MESSAGES / 10);
		});
	}

	@Test
	void publishingItAllocatesNothing() {
		byte[] payload = {};
		UUID id = UUID.randomUUID();
		Runnable publish = () -> {
			for (int i = 0; i < MESSAGES; i++) {
				if (PayloadTransformers.NONE.encode(payload, id, "order.placed") != null) {
					throw new IllegalStateException("Nothing has changed it");
				}
			}
		};
		publish.run();
		assertThat(allocated(publish)).isLessThan(MESSAGES / 10);
	}

	@Test
	void aClaimWithoutReferencesStaysTheSame() {
		Claim claim = new StandingClaim(List.of(new KeySequence(List.of(message(Map.of())))));
		RelayStore store = new ReferredPayloads(null, PayloadTransformers.NONE, Duration.ofSeconds(3))
			.around(new OneClaim(claim));
		assertThat(store.claims().next()).isSameAs(claim);
	}

	@Test
	void whatCannotBeUndoneIsNotHandedOn() {
		this.sender.withChannel((channel) -> assertThatIllegalArgumentException()
			.isThrownBy(() -> channel.send(message(Map.of("outbox:encoding", "aes-gcm"))))
			.withMessageContaining("'aes-gcm'"));
		assertThat(this.recorder.last).isNull();
	}

	private static void send(SendingChannel channel, StoredMessage plain, StoredMessage withHeader) {
		for (int i = 0; i < MESSAGES; i += 2) {
			channel.send(plain);
			channel.send(withHeader);
		}
	}

	private static long allocated(Runnable work) {
		ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
		long thread = Thread.currentThread().getId();
		long before = threads.getThreadAllocatedBytes(thread);
		work.run();
		return threads.getThreadAllocatedBytes(thread) - before;
	}

	private static StoredMessage message(Map<String, Object> headers) {
		return new StoredMessage(1, new Message(UUID.randomUUID(), "order.placed", "a", new Destination("shop", "x"),
				"application/json", new byte[0], headers), Instant.EPOCH, 0, null);
	}

	private static final class Recorder implements SendingChannel {

		private StoredMessage last;

		@Override
		public void send(StoredMessage message) {
			this.last = message;
		}

		@Override
		public Outcome nextOutcome(Duration timeout) {
			return null;
		}

	}

	private record OneClaim(Claim claim) implements RelayStore {

		@Override
		public Claims claims() {
			return () -> this.claim;
		}

	}

}
