package io.orderedoutbox.testing;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.orderedoutbox.store.Claim;
import io.orderedoutbox.store.DelegatingClaim;
import io.orderedoutbox.store.FailedMessage;
import io.orderedoutbox.store.RelayStore;

import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Remembers what the relay of one application has told its store: which messages were
 * published, and which have failed.
 */
public final class RelayRecorder implements BeanPostProcessor {

	private final List<Long> published = new CopyOnWriteArrayList<>();

	private final List<FailedMessage> failures = new CopyOnWriteArrayList<>();

	/**
	 * The positions of the messages that were published.
	 */
	public List<Long> published() {
		return this.published;
	}

	/**
	 * The failures that counted as attempts.
	 */
	public List<FailedMessage> failures() {
		return this.failures;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		return (bean instanceof RelayStore store) ? store.decorated(RecordedClaim::new) : bean;
	}

	private final class RecordedClaim extends DelegatingClaim {

		RecordedClaim(Claim claim) {
			super(claim);
		}

		@Override
		public void complete(Collection<Long> ids, Collection<FailedMessage> failed) {
			super.complete(ids, failed);
			RelayRecorder.this.published.addAll(ids);
			RelayRecorder.this.failures.addAll(failed);
		}

	}

}
