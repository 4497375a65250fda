package io.orderedoutbox.autoconfigure;

import org.springframework.core.env.Environment;

/**
 * Parts of the library that properties switch on and off when the application starts.
 */
enum Switch {

	/**
	 * The outbox itself.
	 */
	OUTBOX,

	/**
	 * A word that there is no outbox.
	 */
	NO_OUTBOX,

	/**
	 * The relay, for ever or once.
	 */
	RELAY,

	/**
	 * The relay that runs all the time.
	 */
	CONTINUOUS_RELAY,

	/**
	 * The relay that drains the outbox once.
	 */
	ONE_SHOT_RELAY,

	/**
	 * A connection pool of the relay's own.
	 */
	RELAY_POOL,

	/**
	 * The removal of what has been in the archive for long enough.
	 */
	ARCHIVE,

	/**
	 * The monitor page.
	 */
	PAGE,

	/**
	 * The summary on the terminal.
	 */
	TERMINAL,

	/**
	 * The inbox, with or without an outbox.
	 */
	INBOX;

	boolean isOn(Environment environment) {
		boolean enabled = environment.getProperty("outbox.enabled", Boolean.class, true);
		String mode = environment.getProperty("outbox.relay.mode", "continuous");
		return (enabled || this == INBOX) ? switch (this) {
			case OUTBOX -> true;
			case NO_OUTBOX -> false;
			case RELAY -> isContinuous(mode) || isOnce(mode);
			case CONTINUOUS_RELAY -> isContinuous(mode);
			case ONE_SHOT_RELAY -> isOnce(mode);
			case RELAY_POOL -> environment.containsProperty("outbox.relay.pool-size");
			case ARCHIVE -> isTrue(environment, "outbox.archive.enabled");
			case PAGE -> isTrue(environment, "outbox.monitor.enabled");
			case INBOX -> isTrue(environment, "outbox.inbox.enabled");
			case TERMINAL -> isContinuous(mode) && isTrue(environment, "outbox.terminal.enabled");
		} : this == NO_OUTBOX;
	}

	private static boolean isContinuous(String mode) {
		return "continuous".equalsIgnoreCase(mode);
	}

	private static boolean isOnce(String mode) {
		return "once".equalsIgnoreCase(mode);
	}

	private static boolean isTrue(Environment environment, String property) {
		return environment.getProperty(property, Boolean.class, false);
	}

}
