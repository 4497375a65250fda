/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay;

import java.util.List;
import java.util.stream.Stream;

import io.orderedoutbox.relay.RelayStatus.Outage;
import io.orderedoutbox.send.MessageSender;
import io.orderedoutbox.store.RelayStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.SmartLifecycle;

/**
 * Relays messages from the store to the broker for as long as the application runs.
 * <p>
 * Any number of relays may run on any number of instances: what one of them has claimed,
 * no other touches. Guaranteed: after {@link #stop()} this instance sends nothing more.
 * Messages in flight are waited for, up to the stop timeout; what was not confirmed by
 * then is sent again by another instance or after the next start. A {@link #pause()}
 * keeps the threads and lets them finish.
 */
public final class OutboxRelay implements SmartLifecycle {

	/**
	 * The phase: up before the web server takes requests, down after it has drained them.
	 */
	public static final int DEFAULT_PHASE = MessageSender.PHASE + 1;

	private static final Logger logger = LoggerFactory.getLogger(OutboxRelay.class);

	private final Object lifecycle = new Object();

	private final RelayStore store;

	private final MessageSender sender;

	private final RelaySignal signal;

	private final RelaySettings settings;

	private final RelayListener listener;

	private final PublishedCount published = new PublishedCount();

	private final Gate gate = new Gate();

	// Until its last worker has ended
	private @Nullable StartedRelay started;

	/**
	 * Create a relay.
	 * @param store where messages are claimed
	 * @param sender where they are sent
	 * @param signal wakes idle workers
	 * @param settings how many workers, and what they go by
	 * @param listeners are told what it does
	 */
	public OutboxRelay(RelayStore store, MessageSender sender, RelaySignal signal, RelaySettings settings,
			List<RelayListener> listeners) {
		this.store = store;
		this.sender = sender;
		this.signal = signal;
		signal.tell(store::committed);
		this.settings = settings;
		this.listener = new RelayListeners(Stream.concat(Stream.of(this.published), listeners.stream()).toList());
	}

	@Override
	public void start() {
		synchronized (this.lifecycle) {
			if (working() == null) {
				StartedRelay next = new StartedRelay(this.store, this.settings,
						new RelayContext(this.sender, this.settings.worker(), this.listener), this.signal, this.gate);
				lookEverywhere();
				next.start();
				this.started = next;
				logger.atInfo()
					.addKeyValue("state", "started")
					.addKeyValue("workers", this.settings.workers())
					.log("Outbox relay started with {} workers", this.settings.workers());
			}
		}
	}

	/**
	 * Stop, and return when the workers have ended or the stop timeout is over, also when
	 * the application ends, when another thread has begun to stop it, and when the caller
	 * is interrupted. A worker that calls this does not wait for itself.
	 * <p>
	 * When the application ends, that is left to no thread of its own: of the beans that
	 * depend on this one, which Spring stops first, it counts each as one of this phase,
	 * and it would close the connection while messages are in flight.
	 */
	@Override
	public void stop() {
		StartedRelay stopped = tellToStop();
		if (stopped != null) {
			stopped.awaitEnd();
			forget(stopped);
		}
	}

	private @Nullable StartedRelay tellToStop() {
		synchronized (this.lifecycle) {
			if (this.started != null) {
				this.started.tellToStop();
			}
			return this.started;
		}
	}

	private void forget(StartedRelay stopped) {
		synchronized (this.lifecycle) {
			if (this.started == stopped) {
				this.started = null;
				logger.atInfo()
					.addKeyValue("state", "stopped")
					.addKeyValue("workers", this.settings.workers())
					.log("Outbox relay stopped");
			}
		}
	}

	// Null also while the relay is being stopped. To be asked under the lock
	private @Nullable StartedRelay working() {
		return (this.started != null && !this.started.isToldToStop()) ? this.started : null;
	}

	// What others have written meanwhile is found at once, not with the next poll
	private void lookEverywhere() {
		this.store.refresh();
	}

	/**
	 * Return whether there are workers, also those that are told to stop and are awaited.
	 */
	@Override
	public boolean isRunning() {
		synchronized (this.lifecycle) {
			return this.started != null;
		}
	}

	/**
	 * Return why this relay cannot work at the moment.
	 * @return what broker or database said, or {@code null} if both work as far as is
	 * known, or if the relay does not run
	 */
	public @Nullable String outage() {
		Outage outage = status().outage();
		return (outage != null) ? outage.reason() : null;
	}

	/**
	 * Return what this relay is doing at the moment.
	 * @return its state and that of its workers
	 */
	public RelayStatus status() {
		synchronized (this.lifecycle) {
			long total = this.published.total();
			StartedRelay working = working();
			return (working != null) ? working.status(total)
					: RelayStatus.stopped(this.gate.look((pauses) -> pauses), this.settings.workers(), total);
		}
	}

	/**
	 * Claim nothing more on this instance until {@link #resume()}, also after a stop and
	 * another start. What a worker has claimed, or is claiming at this moment, it still
	 * sends and completes. Other instances go on.
	 */
	public void pause() {
		pause(PauseScope.INSTANCE);
	}

	/**
	 * Claim again, at once, unless all instances are paused.
	 */
	public void resume() {
		resume(PauseScope.INSTANCE);
	}

	/**
	 * Claim nothing more on this instance, for a reason that does not touch any other.
	 * @param scope the reason
	 */
	public void pause(PauseScope scope) {
		if (this.gate.close(scope)) {
			// A worker that rests until the next poll comes to the gate at once
			this.signal.wakeAll();
			logger.atInfo()
				.addKeyValue("state", "paused")
				.addKeyValue("scope", scope)
				.log("Outbox relay paused ({}): it claims nothing", scope);
		}
	}

	/**
	 * Claim again, at once, unless there is another reason not to.
	 * @param scope the reason that is gone
	 */
	public void resume(PauseScope scope) {
		synchronized (this.lifecycle) {
			// An instance that obeys the others asks for it with each heartbeat
			if (this.gate.isClosed(scope)) {
				StartedRelay working = working();
				if (working != null) {
					working.beginAnew();
				}
				lookEverywhere();
				this.gate.open(scope);
				logger.atInfo()
					.addKeyValue("state", "resumed")
					.addKeyValue("scope", scope)
					.log("Outbox relay resumed ({})", scope);
			}
		}
	}

	/**
	 * Return what this relay is doing.
	 * @return its state
	 */
	public RelayState state() {
		return status().state();
	}

	/**
	 * Return how many messages this instance has sent and taken out of the outbox since
	 * the application began.
	 * @return a number that only grows
	 */
	public long published() {
		return this.published.total();
	}

	@Override
	public boolean isAutoStartup() {
		return this.settings.autoStartup();
	}

	@Override
	public int getPhase() {
		return DEFAULT_PHASE;
	}

}
