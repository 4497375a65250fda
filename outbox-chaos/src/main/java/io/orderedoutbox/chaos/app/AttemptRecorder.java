package io.orderedoutbox.chaos.app;

import java.nio.file.Path;
import java.util.Collection;

import io.orderedoutbox.store.Claim;
import io.orderedoutbox.store.DelegatingClaim;
import io.orderedoutbox.store.FailedMessage;
import io.orderedoutbox.store.FailedMessage.Fate;
import io.orderedoutbox.store.RelayStore;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Writes down every attempt that a relay counted, and why.
 */
final class AttemptRecorder implements BeanPostProcessor {

	private final TraceFile attempts;

	AttemptRecorder(@Value("${chaos.directory}") Path directory, @Value("${chaos.life}") String life) {
		this.attempts = new TraceFile(directory.resolve(life + ".attempts"));
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		return (bean instanceof RelayStore store) ? store.decorated(RecordedClaim::new) : bean;
	}

	private void record(Collection<FailedMessage> failed) {
		failed.stream()
			.filter((message) -> message.fate() != Fate.POSTPONED)
			.forEach((message) -> this.attempts.add(message.fate() + " " + message.error()));
	}

	private final class RecordedClaim extends DelegatingClaim {

		RecordedClaim(Claim claim) {
			super(claim);
		}

		@Override
		public void complete(Collection<Long> published, Collection<FailedMessage> failed) {
			super.complete(published, failed);
			record(failed);
		}

	}

}
