/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.contract;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.orderedoutbox.contract.StoreUnderTest.Instance;
import io.orderedoutbox.store.Claim;
import io.orderedoutbox.store.Claims;
import io.orderedoutbox.store.FailedMessage;
import io.orderedoutbox.store.KeySequence;
import io.orderedoutbox.store.RelayStore;
import io.orderedoutbox.store.StoredMessage;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/**
 * A worker of an instance: it has one claim at a time, and does everything on a thread of
 * its own, for which the test waits.
 */
final class StoreWorker implements AutoCloseable {

	private static final Duration AT_MOST = Duration.ofSeconds(30);

	private static final Duration SOON = Duration.ofSeconds(10);

	private final ExecutorService thread = Executors.newSingleThreadExecutor((work) -> {
		Thread thread = new Thread(work, "store-worker");
		thread.setDaemon(true);
		return thread;
	});

	private final RelayStore store;

	private final Claims claims;

	private @Nullable Claim claim;

	StoreWorker(Instance instance) {
		this.store = instance.relayStore();
		this.claims = call(this.store::claims);
	}

	private <T extends @Nullable Object> T call(Callable<T> work) {
		try {
			return this.thread.submit(work).get(AT_MOST.toSeconds(), TimeUnit.SECONDS);
		}
		catch (ExecutionException ex) {
			if (ex.getCause() instanceof RuntimeException failure) {
				throw failure;
			}
			throw new AssertionError("A worker has failed", ex.getCause());
		}
		catch (TimeoutException ex) {
			throw new AssertionError("The store has kept a worker waiting for " + AT_MOST, ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new AssertionError(ex);
		}
	}

	private void run(Runnable work) {
		call(() -> {
			work.run();
			return true;
		});
	}

	/**
	 * Look at the whole outbox for messages that are due, once.
	 * @return what was claimed, nothing if there is no claim
	 */
	List<KeySequence> look() {
		run(this.store::refresh);
		return next();
	}

	/**
	 * Claim what the store knows of.
	 * @return what was claimed, nothing if there is no claim
	 */
	List<KeySequence> next() {
		Claim next = call(this.claims::next);
		this.claim = next;
		return (next != null) ? call(next::sequences) : List.of();
	}

	/**
	 * Look until something was claimed.
	 */
	List<KeySequence> awaitClaim() {
		return Awaitility.await()
			.atMost(SOON)
			.pollInterval(Duration.ofMillis(5))
			.until(this::look, (sequences) -> !sequences.isEmpty());
	}

	/**
	 * Return whether it has a claim.
	 */
	boolean hasClaim() {
		return this.claim != null;
	}

	Claim claim() {
		Claim current = this.claim;
		if (current == null) {
			throw new AssertionError("The worker has no claim");
		}
		return current;
	}

	void settle(Collection<Long> published, FailedMessage... failed) {
		run(() -> claim().settle(published, List.of(failed)));
	}

	void settleLate(Collection<Long> published) {
		run(() -> claim().settleLate(published, List.of()));
	}

	boolean rehearse(Collection<Long> published) {
		return call(() -> claim().rehearse(() -> claim().settle(published, List.of())));
	}

	boolean renew() {
		return call(() -> claim().renew());
	}

	void suspend() {
		run(() -> claim().suspend());
	}

	void commit() {
		run(() -> claim().commit());
	}

	/**
	 * Settle, commit and close the claim.
	 */
	void complete(Collection<Long> published, FailedMessage... failed) {
		settle(published, failed);
		commit();
		end();
	}

	/**
	 * Close the claim.
	 */
	void end() {
		Claim ended = claim();
		this.claim = null;
		run(ended::close);
	}

	/**
	 * Publish all that there is, until it was so many messages; and look whether there
	 * are more.
	 * @return the messages in the order in which they were claimed
	 */
	List<StoredMessage> drain(int expected) {
		List<StoredMessage> drained = new ArrayList<>();
		while (drained.size() < expected) {
			drained.addAll(publish(awaitClaim()));
		}
		for (List<KeySequence> more = look(); !more.isEmpty(); more = look()) {
			drained.addAll(publish(more));
		}
		return drained;
	}

	private List<StoredMessage> publish(List<KeySequence> sequences) {
		List<StoredMessage> messages = messages(sequences);
		complete(ids(messages));
		return messages;
	}

	static List<StoredMessage> messages(List<KeySequence> sequences) {
		return sequences.stream().flatMap((sequence) -> sequence.messages().stream()).toList();
	}

	static List<Long> ids(List<StoredMessage> messages) {
		return messages.stream().map(StoredMessage::id).toList();
	}

	/**
	 * The worker pauses, and gives back what the store has kept for it.
	 */
	Duration rest() {
		return call(this.claims::rest);
	}

	@Override
	public void close() {
		try {
			if (this.claim != null) {
				end();
			}
			run(this.claims::end);
		}
		finally {
			this.thread.shutdownNow();
		}
	}

}
