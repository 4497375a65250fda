package io.orderedoutbox.relay;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says once that broker or store was lost, and once that it is back, whatever the number
 * of workers that notice.
 */
final class OutageLog {

	private static final Logger logger = LoggerFactory.getLogger(OutageLog.class);

	private boolean brokerLost;

	private boolean storeLost;

	synchronized void lost(RuntimeException ex) {
		boolean known = this.brokerLost || this.storeLost;
		if (ex instanceof TransportException) {
			this.brokerLost = true;
		}
		else {
			this.storeLost = true;
		}
		if (!known) {
			logger.warn("The relay cannot work: {}. Messages are kept, and it tries again until it can", ex.toString());
			logger.debug("The cause", ex);
		}
	}

	synchronized void storeWorks() {
		boolean wasLost = this.storeLost;
		this.storeLost = false;
		if (wasLost && !this.brokerLost) {
			logger.info("The relay works again");
		}
	}

	synchronized void bothWork() {
		boolean wasLost = this.brokerLost || this.storeLost;
		this.brokerLost = false;
		this.storeLost = false;
		if (wasLost) {
			logger.info("The relay works again");
		}
	}

}
