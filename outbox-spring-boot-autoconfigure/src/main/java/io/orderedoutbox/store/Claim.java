package io.orderedoutbox.store;

import java.util.Collection;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Exclusive ownership of some partition keys, for as long as it is open and the store
 * does not lose the owner. When the owner dies, the ownership ends at once and nothing
 * has changed.
 */
public interface Claim extends AutoCloseable {

	/**
	 * Return what was claimed.
	 * @return the runs, at least one, each of another partition key
	 */
	List<Run> runs();

	/**
	 * Return whether there is likely to be something due that another worker can claim as
	 * long as this claim lasts.
	 * @return {@code true} if another claim is worth making at once
	 */
	boolean moreIsWaiting();

	/**
	 * Ask the store whether the ownership still stands, and keep it alive.
	 * @return {@code false} if it is lost: stop sending
	 */
	boolean renew();

	/**
	 * Return the time of the store while the claim was made.
	 * @return the time, or {@code null} if it is not known
	 */
	default @Nullable StoreTime time() {
		return null;
	}

	/**
	 * Return work that another thread may do while this claim is being completed, so that
	 * the worker's next claim takes less time. Whoever has it done waits for it before
	 * the next claim. Nothing is lost if nobody does it, or if it fails.
	 * @param published positions of the messages that the claim is going to be completed
	 * with, of which none has failed
	 * @return the work, to be done once, or {@code null} if there is none
	 */
	default @Nullable Runnable preparation(Collection<Long> published) {
		return null;
	}

	/**
	 * Remove what was published, settle what failed, and end the ownership; all of it or
	 * nothing.
	 * @param published positions of the messages that the broker has taken
	 * @param failed the messages that were not sent for a reason of their own
	 */
	void complete(Collection<Long> published, Collection<FailedMessage> failed);

	/**
	 * End the ownership. What was not completed is claimable again, unchanged.
	 */
	@Override
	void close();

}
