/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.oracle;

import java.util.ArrayList;
import java.util.List;

import io.orderedoutbox.chaos.fault.FaultRecord;
import org.jspecify.annotations.Nullable;

/**
 * Messages that relays have sent again: what was sent is sent again after something
 * broke, and only what a run held, except by those who were frozen in the middle of it.
 */
final class Duplicates {

	private final Rules rules;

	private final Troubles troubles;

	private final Findings findings;

	private final List<Allowance> allowances = new ArrayList<>();

	private int count;

	private int far;

	Duplicates(Evidence evidence, Rules rules, Troubles troubles, Findings findings) {
		this.rules = rules;
		this.troubles = troubles;
		this.findings = findings;
		for (FaultRecord fault : evidence.faults()) {
			if (fault.frozenRelays() > 0) {
				this.allowances.add(new Allowance(fault, fault.frozenRelays() * rules.workers()));
			}
		}
	}

	void add(Position position, Arrival first, Arrival again, @Nullable KeyOrder order) {
		this.count++;
		if (!this.troubles.between(first.at(), again.at())) {
			this.findings.add(Breach.UNEXPLAINED_DUPLICATE,
					"nothing was broken when %s arrived again".formatted(position.entry()));
		}
		else if (order != null && order.distance(position) >= this.rules.longestRun()) {
			this.far++;
			if (this.allowances.stream().noneMatch((allowance) -> allowance.covers(again.at()))) {
				this.findings.add(Breach.UNEXPLAINED_DUPLICATE,
						"%s arrived again when %d later ones of its key had arrived".formatted(position.entry(),
								order.distance(position)));
			}
		}
	}

	int count() {
		return this.count;
	}

	int far() {
		return this.far;
	}

	/**
	 * How many far duplicates a fault explains.
	 */
	private static final class Allowance {

		private final FaultRecord fault;

		private int left;

		Allowance(FaultRecord fault, int left) {
			this.fault = fault;
			this.left = left;
		}

		boolean covers(long at) {
			if (this.left == 0 || !this.fault.isWithin(at - Oracle.AFTERMATH.toNanos(), at)) {
				return false;
			}
			this.left--;
			return true;
		}

	}

}
