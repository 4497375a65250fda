package io.orderedoutbox.chaos.oracle;

/**
 * What the oracle says.
 *
 * @param figures what was measured
 * @param findings what was violated
 */
public record Verdict(Figures figures, Findings findings) {

}
