package io.orderedoutbox.store;

import org.springframework.test.util.ReflectionTestUtils;
import org.springframework.util.Assert;

/**
 * Makes relays look from a mark.
 */
public final class Marks {

	private Marks() {
	}

	/**
	 * However quick looks from the very start are, the next one begins at a mark.
	 */
	public static void alwaysUsedBy(JdbcRelayStore store) {
		Object scan = ReflectionTestUtils.getField(store, "scan");
		Assert.state(scan != null, "no scan");
		Object pace = ReflectionTestUtils.getField(scan, "pace");
		Assert.state(pace != null, "no pace");
		ReflectionTestUtils.setField(pace, "part", Integer.MAX_VALUE);
	}

}
