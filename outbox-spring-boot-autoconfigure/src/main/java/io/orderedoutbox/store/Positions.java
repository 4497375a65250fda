package io.orderedoutbox.store;

import java.util.Collection;
import java.util.List;

/**
 * Positions as statements take them: long stretches by their ends, all others by a list.
 *
 * @param stretches the long ones
 * @param others the rest
 */
record Positions(List<Stretch> stretches, List<Long> others) {

	/**
	 * These positions in as few parts as are worth it.
	 * @param worthWhile from which length on a stretch saves more than a statement of its
	 * own costs
	 */
	static Positions of(Collection<Long> positions, Dialect dialect, int worthWhile) {
		if (!dialect.hasExactRanges() || positions.size() < worthWhile) {
			return new Positions(List.of(), List.copyOf(positions));
		}
		List<Stretch> stretches = Stretch.of(positions);
		return new Positions(stretches.stream().filter((stretch) -> stretch.length() >= worthWhile).toList(),
				stretches.stream()
					.filter((stretch) -> stretch.length() < worthWhile)
					.flatMap(Stretch::positions)
					.toList());
	}

}
