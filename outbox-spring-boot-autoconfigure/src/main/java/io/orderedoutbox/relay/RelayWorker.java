package io.orderedoutbox.relay;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import io.orderedoutbox.store.Claim;
import io.orderedoutbox.store.Claims;
import io.orderedoutbox.store.FailedMessage;
import io.orderedoutbox.store.StoredMessage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/**
 * One thread of the relay: claim, send, complete, and wait when there is nothing to do.
 * <p>
 * An outage of broker or store is waited out, longer each time; it costs no message an
 * attempt. Anything unexpected is logged and treated like an outage: a worker never ends
 * before it is told to.
 */
final class RelayWorker implements Runnable {

	private static final Logger logger = LoggerFactory.getLogger(RelayWorker.class);

	private final Claims claims;

	private final MessageSender sender;

	private final RelaySignal signal;

	private final WorkerSettings settings;

	private final CountDownLatch stop;

	private final OutageLog outageLog;

	private int outages;

	RelayWorker(Claims claims, MessageSender sender, RelaySignal signal, WorkerSettings settings, CountDownLatch stop,
			OutageLog outageLog) {
		this.claims = claims;
		this.sender = sender;
		this.signal = signal;
		this.settings = settings;
		this.stop = stop;
		this.outageLog = outageLog;
	}

	@Override
	public void run() {
		try {
			while (!isStopping()) {
				if (!relay()) {
					rest();
				}
			}
		}
		catch (InterruptedException ex) {
			logger.debug("A relay worker was interrupted and ends");
		}
	}

	// Whether there is more to do at once
	private boolean relay() throws InterruptedException {
		try {
			boolean recovering = this.outages > 0;
			if (recovering) {
				requireBroker();
			}
			boolean more = relayBatch();
			if (recovering) {
				this.outageLog.works();
				this.outages = 0;
			}
			return more;
		}
		catch (TransportException | DataAccessException | TransactionException ex) {
			this.outageLog.lost(ex);
			waitOut();
		}
		catch (RuntimeException | Error ex) {
			logger.error("A relay worker failed; it goes on in a moment", ex);
			waitOut();
		}
		return true;
	}

	// While the broker is away nothing is claimed: a claim takes a connection from the
	// pool
	private void requireBroker() {
		this.sender.withChannel((channel) -> {
		});
	}

	/**
	 * Claim one batch and send it.
	 * @return whether another batch is worth trying at once
	 */
	boolean relayBatch() {
		try (Claim claim = this.claims.next()) {
			if (claim == null) {
				return false;
			}
			if (claim.moreIsWaiting()) {
				this.signal.wake();
			}
			Dispatch dispatch = new Dispatch(claim, this.settings, this::isStopping);
			dispatch.through(this.sender);
			complete(claim, dispatch);
			TransportException outage = dispatch.outage();
			if (outage != null) {
				throw outage;
			}
			return claim.moreIsWaiting() || !dispatch.published().isEmpty();
		}
	}

	private void complete(Claim claim, Dispatch dispatch) {
		if (dispatch.isClaimLost()) {
			logger.debug("A claim was lost while its messages were sent: whoever has them now sends them again");
			return;
		}
		logNewFailures(dispatch.failed());
		List<FailedMessage> failed = dispatch.failed().entrySet().stream().map((failure) -> {
			Duration delay = this.settings.retry().delay(failure.getKey().attempts() + 1);
			logger.debug("{} failed, next attempt in {}: {}", failure.getKey(), delay, failure.getValue());
			return new FailedMessage(failure.getKey().id(), ErrorText.bounded(failure.getValue()), delay);
		}).toList();
		if (!dispatch.published().isEmpty() || !failed.isEmpty()) {
			claim.complete(dispatch.published(), failed);
		}
	}

	// One line for a batch, and none for the attempts that follow: a missing route fails
	// messages by the thousand
	private void logNewFailures(Map<StoredMessage, String> failed) {
		List<StoredMessage> newlyFailed = failed.keySet()
			.stream()
			.filter((message) -> message.attempts() == 0)
			.toList();
		if (!newlyFailed.isEmpty()) {
			StoredMessage first = newlyFailed.get(0);
			logger.warn(
					"The broker did not take {} message(s). They stay in the outbox and are tried again; "
							+ "until then nothing of their partition keys is sent. One of them is {}: {}",
					newlyFailed.size(), first, failed.get(first));
		}
	}

	private void rest() throws InterruptedException {
		long nanos = this.settings.pollInterval().toNanos();
		this.signal.await(Duration.ofNanos((long) (nanos * ThreadLocalRandom.current().nextDouble(0.8, 1.2))));
	}

	private void waitOut() throws InterruptedException {
		this.outages++;
		this.stop.await(this.settings.outage().delay(this.outages).toNanos(), TimeUnit.NANOSECONDS);
	}

	private boolean isStopping() {
		return this.stop.getCount() == 0;
	}

}
