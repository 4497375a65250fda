/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.oracle;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

import io.orderedoutbox.chaos.fault.Part;
import org.jspecify.annotations.Nullable;

/**
 * Compares what arrived with what was committed.
 * <ol>
 * <li>The ledger is what the writers know to be committed.</li>
 * <li>Everything in the ledger arrives, and nothing else does.</li>
 * <li>First arrivals of each key are in the order of the commits: see
 * {@link KeyOrder}.</li>
 * <li>What arrives again is the same in every respect, and there is an explanation: see
 * {@link Duplicates}. What the broker delivers again to a recorder that lost its
 * connection is no duplicate.</li>
 * <li>No attempt was spent by an outage: see {@link Attempts}.</li>
 * <li>Business transactions failed only while writers or the database were broken, and
 * never because of relays or the broker.</li>
 * </ol>
 */
public final class Oracle {

	/**
	 * How long what went wrong may still have effects: a confirm that is waited for, a
	 * transaction that waits for a lock.
	 */
	static final Duration AFTERMATH = Duration.ofSeconds(10);

	/**
	 * After this, a relay works again.
	 */
	static final Duration RECOVERY = Duration.ofSeconds(2);

	private final Findings findings;

	private final Map<UUID, Arrival> first = new HashMap<>();

	private final Map<UUID, Arrival> latest = new HashMap<>();

	private final Map<String, KeyOrder> orders = new HashMap<>();

	private final Evidence evidence;

	private final Rules rules;

	private final Ledger ledger;

	private final Duplicates duplicates;

	private final Stalls stalls;

	private int redelivered;

	/**
	 * Create an oracle.
	 * @param evidence what is known
	 * @param rules what is right
	 * @param findings where to put the violations
	 */
	public Oracle(Evidence evidence, Rules rules, Findings findings) {
		this.findings = findings;
		this.evidence = evidence;
		this.rules = rules;
		this.ledger = Ledger.read(evidence, findings);
		this.duplicates = new Duplicates(evidence, rules,
				Troubles.of(evidence.faults(), AFTERMATH, Part.RELAY, Part.DATABASE, Part.BROKER), this.findings);
		this.stalls = new Stalls(new Troubles(evidence.faults(), RECOVERY));
	}

	/**
	 * Judge.
	 * @return what was measured and what was violated
	 */
	public Verdict judge() {
		this.evidence.arrivals().forEach(this::arrived);
		this.ledger.forEach((position) -> {
			if (!this.first.containsKey(position.entry().messageId())) {
				this.findings.add(Breach.LOST, position.entry().toString());
			}
		});
		new Refusals(Troubles.of(this.evidence.faults(), AFTERMATH, Part.WRITER, Part.DATABASE), this.findings)
			.judge(this.evidence.refusals());
		Map<String, Integer> attempts = new Attempts(this.evidence.faults(), this.findings)
			.judge(this.evidence.attempts());
		return new Verdict(
				new Figures(this.ledger.size(), this.evidence.arrivals().size(), this.duplicates.count(),
						this.duplicates.far(), this.redelivered, attempts, this.evidence.refusals().size(),
						this.stalls.longest(), this.stalls.longestHealthy(), this.stalls.longestHealthyGap()),
				this.findings);
	}

	private void arrived(Arrival arrival) {
		Position position = this.ledger.find(arrival.messageId());
		if (position == null) {
			this.findings.add(Breach.PHANTOM, arrival.toString());
			return;
		}
		Arrival original = this.first.putIfAbsent(arrival.messageId(), arrival);
		Arrival previous = this.latest.put(arrival.messageId(), arrival);
		KeyOrder order = order(position.entry().key());
		if (original == null || previous == null) {
			firstArrived(position, arrival, order);
			return;
		}
		if (original.digest() != arrival.digest()) {
			this.findings.add(Breach.ALTERED,
					"%s arrived as %s and as %s".formatted(position.entry(), original, arrival));
		}
		if (arrival.redelivered() || arrival.session() != previous.session()) {
			this.redelivered++;
		}
		else {
			this.duplicates.add(position, original, arrival, order);
		}
	}

	private void firstArrived(Position position, Arrival arrival, @Nullable KeyOrder order) {
		this.stalls.add(position.entry(), arrival.at());
		String key = position.entry().key();
		if (arrival.version() < 0 || (!key.isEmpty() && !key.equals(arrival.key()))) {
			this.findings.add(Breach.ALTERED, "%s arrived as %s".formatted(position.entry(), arrival));
		}
		if (order != null) {
			order.arrived(position, arrival.version());
		}
	}

	private @Nullable KeyOrder order(String key) {
		return (this.rules.ordered() && !key.isEmpty())
				? this.orders.computeIfAbsent(key, (any) -> new KeyOrder(key, this.ledger.commitEnded(), this.findings))
				: null;
	}

}
