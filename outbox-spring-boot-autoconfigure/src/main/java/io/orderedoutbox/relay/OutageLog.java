package io.orderedoutbox.relay;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says once that broker or store was lost, and once that both work, whatever the number
 * of workers that notice.
 */
final class OutageLog {

	private static final Logger logger = LoggerFactory.getLogger(OutageLog.class);

	private boolean lost;

	synchronized void lost(RuntimeException ex) {
		if (!this.lost) {
			logger.warn("The relay cannot work: {}. Messages are kept, and it tries again until it can", ex.toString());
			logger.debug("The cause", ex);
		}
		this.lost = true;
	}

	synchronized void works() {
		if (this.lost) {
			logger.info("The relay works again");
		}
		this.lost = false;
	}

}
