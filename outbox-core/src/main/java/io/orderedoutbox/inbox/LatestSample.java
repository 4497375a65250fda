package io.orderedoutbox.inbox;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * What somebody who looks again and again has seen last, as long as it is young enough.
 * One thread may look while others ask.
 *
 * @param <T> what is seen
 */
public final class LatestSample<T> {

	private final Duration limit;

	private volatile @Nullable Sample<T> latest;

	/**
	 * Create it without a sample.
	 * @param interval the pause between two looks
	 * @param timeToLook how long a look may take
	 */
	public LatestSample(Duration interval, Duration timeToLook) {
		this.limit = interval.multipliedBy(2).plus(timeToLook);
	}

	/**
	 * Keep what was seen.
	 * @param seen what was seen
	 * @param nanoTime when the look began, by {@link System#nanoTime()}
	 */
	public void set(T seen, long nanoTime) {
		this.latest = new Sample<>(seen, nanoTime);
	}

	/**
	 * Forget what was seen: it is not known any more.
	 */
	public void forget() {
		this.latest = null;
	}

	/**
	 * Return what was seen last.
	 * @return what was seen, or {@code null} if nothing was within the last two intervals
	 * and the time that a look may take
	 */
	public @Nullable T current() {
		Sample<T> sample = young();
		return (sample != null) ? sample.seen() : null;
	}

	/**
	 * Return how long ago that was.
	 * @return the age of the sample, or {@code null} if there is none that is young
	 * enough
	 */
	public @Nullable Duration age() {
		Sample<T> sample = young();
		return (sample != null) ? sample.age() : null;
	}

	private @Nullable Sample<T> young() {
		Sample<T> sample = this.latest;
		return (sample != null && sample.age().compareTo(this.limit) <= 0) ? sample : null;
	}

	private record Sample<T>(T seen, long takenAt) {

		Duration age() {
			return Duration.ofNanos(System.nanoTime() - this.takenAt);
		}

	}

}
