package io.orderedoutbox.benchmark;

import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

import io.orderedoutbox.servers.SentStatements;

/**
 * Counts what the driver sends to the database, on all connections that it is switched on
 * for.
 */
public final class RoundTrips extends SentStatements {

	private static final LongAdder COUNT = new LongAdder();

	/**
	 * How many there have been in this JVM.
	 */
	static long count() {
		return COUNT.sum();
	}

	@Override
	protected void sent(Supplier<String> sql) {
		COUNT.increment();
	}

}
