package io.orderedoutbox.store;

/**
 * Hands out messages to relay. Declare a bean of this type to replace the default,
 * {@link JdbcRelayStore}.
 */
@FunctionalInterface
public interface RelayStore {

	/**
	 * Return the claims of one worker. It is used by one thread at a time.
	 * @return new claims, without a connection until the first use
	 */
	Claims claims();

}
