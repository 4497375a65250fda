/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.oracle;

import java.util.List;

/**
 * Business transactions that failed, which they may only while something that they need
 * is broken.
 *
 * @param troubles when that was
 * @param findings where to put the violations
 */
record Refusals(Troubles troubles, Findings findings) {

	void judge(List<Remark> refusals) {
		for (Remark refusal : refusals) {
			if (!this.troubles.between(refusal.at(), refusal.at())) {
				this.findings.add(Breach.REFUSAL, refusal.text());
			}
		}
	}

}
