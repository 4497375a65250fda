package io.orderedoutbox.store;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Positions without a gap between them.
 *
 * @param first the first
 * @param last the last
 */
record Stretch(long first, long last) {

	/**
	 * The fewest stretches that are just these positions.
	 */
	static List<Stretch> of(Collection<Long> positions) {
		List<Stretch> stretches = new ArrayList<>();
		Stretch current = null;
		for (long position : positions.stream().sorted().toList()) {
			if (current != null && position <= current.last + 1) {
				current = new Stretch(current.first, position);
				stretches.set(stretches.size() - 1, current);
			}
			else {
				current = new Stretch(position, position);
				stretches.add(current);
			}
		}
		return stretches;
	}

	long length() {
		return this.last - this.first + 1;
	}

	Stream<Long> positions() {
		return LongStream.rangeClosed(this.first, this.last).boxed();
	}

}
