package io.orderedoutbox.chaos.oracle;

import java.time.Duration;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * What a run measured.
 *
 * @param messages how many messages were committed
 * @param arrivals how many arrived, those included that arrived again
 * @param duplicates how many a relay sent again
 * @param farDuplicates how many of them lie further back than a run
 * @param redelivered how many the broker delivered again to a consumer that it had lost
 * @param attempts how many attempts were counted, by their reason
 * @param refusals how many business transactions failed
 * @param longestStall the longest time from a commit to the first arrival
 * @param longestHealthyStall the same, of messages in whose time nothing was broken,
 * {@code null} if there was no such time
 * @param longestHealthyGap the longest time between two arrivals in which nothing was
 * broken, {@code null} if there was no such time
 */
public record Figures(int messages, int arrivals, int duplicates, int farDuplicates, int redelivered,
		Map<String, Integer> attempts, int refusals, Duration longestStall, @Nullable Duration longestHealthyStall,
		@Nullable Duration longestHealthyGap) {

}
