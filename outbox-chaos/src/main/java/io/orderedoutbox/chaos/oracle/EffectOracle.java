/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.oracle;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.orderedoutbox.chaos.fault.FaultRecord;
import io.orderedoutbox.chaos.fault.Part;

/**
 * Compares what consumers did with what was committed.
 * <ol>
 * <li>The ledger is what the writers know to be committed: see {@link Ledger}.</li>
 * <li>Everything in the ledger has one effect, and nothing else has any.</li>
 * <li>The effects of each key, in the order of their own commits, are in the order of the
 * commits of the messages: see {@link KeyOrder}.</li>
 * <li>A handler saw the effect before its own: no other message of the key was processed
 * at the same time.</li>
 * <li>Deliveries failed only while consumers or the database were broken, business
 * transactions of writers only while writers or the database were, and no attempt of a
 * relay was spent by an outage.</li>
 * </ol>
 */
public final class EffectOracle {

	private static final String FAILED = "FAILED";

	private static final String DUPLICATE = "DUPLICATE";

	private final Map<UUID, Effect> first = new HashMap<>();

	private final Map<String, KeyOrder> orders = new HashMap<>();

	private final EffectEvidence evidence;

	private final Findings findings;

	private final Ledger ledger;

	private final Stalls stalls;

	/**
	 * Create an oracle.
	 * @param evidence what is known
	 * @param findings where to put the violations
	 */
	public EffectOracle(EffectEvidence evidence, Findings findings) {
		this.evidence = evidence;
		this.findings = findings;
		this.ledger = Ledger.read(evidence.published(), findings);
		this.stalls = new Stalls(new Troubles(faults(), Oracle.RECOVERY));
	}

	private List<FaultRecord> faults() {
		return this.evidence.published().faults();
	}

	/**
	 * Judge.
	 * @return what was measured
	 */
	public EffectFigures judge() {
		this.evidence.effects()
			.stream()
			.sorted(Comparator.comparing(Effect::key).thenComparingLong(Effect::number))
			.forEach(this::happened);
		this.evidence.effects().stream().sorted(Comparator.comparingLong(Effect::at)).forEach(this::measure);
		this.ledger.forEach((position) -> {
			if (!this.first.containsKey(position.entry().messageId())) {
				this.findings.add(Breach.LOST, position.entry().toString());
			}
		});
		judgeFailures();
		return figures();
	}

	private void happened(Effect effect) {
		Position position = this.ledger.find(effect.messageId());
		if (position == null) {
			this.findings.add(Breach.PHANTOM, effect.toString());
			return;
		}
		if (!effect.key().isEmpty() && effect.number() != effect.seen() + 1) {
			this.findings.add(Breach.OVERLAPPED, effect.toString());
		}
		Effect original = this.first.putIfAbsent(effect.messageId(), effect);
		if (original != null) {
			this.findings.add(Breach.PROCESSED_TWICE, "%s and %s".formatted(original, effect));
			return;
		}
		String key = position.entry().key();
		if (effect.version() < 0 || !key.equals(effect.key())) {
			this.findings.add(Breach.ALTERED, "%s had %s".formatted(position.entry(), effect));
		}
		if (!key.isEmpty()) {
			this.orders.computeIfAbsent(key, (any) -> new KeyOrder(key, this.ledger.commitEnded(), this.findings))
				.arrived(position, effect.version());
		}
	}

	private void measure(Effect effect) {
		Position position = this.ledger.find(effect.messageId());
		if (position != null) {
			this.stalls.add(position.entry(), effect.at());
		}
	}

	private void judgeFailures() {
		Evidence published = this.evidence.published();
		new Refusals(Troubles.of(faults(), Oracle.AFTERMATH, Part.WRITER, Part.DATABASE), this.findings)
			.judge(published.refusals());
		new Refusals(Troubles.of(faults(), Oracle.AFTERMATH, Part.CONSUMER, Part.DATABASE), this.findings)
			.judge(outcomes(FAILED));
		new Attempts(faults(), this.findings).judge(published.attempts());
	}

	private List<Remark> outcomes(String outcome) {
		return this.evidence.outcomes().stream().filter((remark) -> remark.text().equals(outcome)).toList();
	}

	private EffectFigures figures() {
		List<Effect> effects = this.evidence.effects();
		int redelivered = (int) effects.stream().filter(Effect::redelivered).count();
		int consumers = (int) effects.stream().map(Effect::consumer).distinct().count();
		return new EffectFigures(this.ledger.size(), effects.size(), redelivered, outcomes(DUPLICATE).size(),
				outcomes(FAILED).size(), consumers, this.evidence.published().refusals().size(), this.stalls.longest(),
				this.stalls.longestHealthy(), this.stalls.longestGap());
	}

}
