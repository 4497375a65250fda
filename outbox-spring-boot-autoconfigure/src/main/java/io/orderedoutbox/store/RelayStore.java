package io.orderedoutbox.store;

import java.util.function.UnaryOperator;

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

	/**
	 * The same store, with each claim in a decorator.
	 * @param decorator what to make of a claim: see {@link Claims#decorated}
	 * @return a store that shares everything with this one
	 */
	default RelayStore decorated(UnaryOperator<Claim> decorator) {
		return () -> claims().decorated(decorator);
	}

}
