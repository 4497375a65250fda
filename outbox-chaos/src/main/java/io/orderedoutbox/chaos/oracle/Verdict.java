/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.oracle;

/**
 * What the oracle says.
 *
 * @param figures what was measured
 * @param findings what was violated
 */
public record Verdict(Figures figures, Findings findings) {

}
