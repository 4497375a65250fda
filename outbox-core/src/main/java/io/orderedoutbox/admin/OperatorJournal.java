/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.admin;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Tells the log and the {@link AuditTrail} what operators have done, and who did it.
 */
public final class OperatorJournal {

	/**
	 * Tells the log alone, and knows nobody.
	 */
	public static final OperatorJournal OF_NOBODY = new OperatorJournal(() -> null, AuditTrail.NONE);

	private static final Logger logger = LoggerFactory.getLogger(OperatorJournal.class);

	private final OperatorIdentity identity;

	private final AuditTrail trail;

	/**
	 * Create a journal.
	 * @param identity knows the operator
	 * @param trail keeps what was done
	 */
	public OperatorJournal(OperatorIdentity identity, AuditTrail trail) {
		this.identity = identity;
		this.trail = trail;
	}

	/**
	 * Return the same journal for what the operator of now begins, and what ends later,
	 * maybe in a thread that works for no operator.
	 * @return a journal to which the operator is known already
	 */
	public OperatorJournal ofCurrentOperator() {
		String operator = operator();
		return new OperatorJournal(() -> operator, this.trail);
	}

	/**
	 * A verb was applied.
	 * @param verb its name
	 * @param selection to which messages
	 * @param result what was done
	 */
	public void applied(String verb, String selection, VerbResult result) {
		OperatorAction action = action(verb, selection, result, null);
		line(logger.atInfo(), action).addKeyValue("passed_over", result.passedOver())
			.log("Outbox {} of {}{}: {} message(s), {} passed over", verb, selection, by(action), result.affected(),
					result.passedOver());
		record(action);
	}

	/**
	 * A verb has failed.
	 * @param verb its name
	 * @param selection to which messages
	 * @param result what was done before
	 * @param failure what went wrong
	 */
	public void failed(String verb, String selection, VerbResult result, Throwable failure) {
		OperatorAction action = action(verb, selection, result, failure.toString());
		line(logger.atWarn(), action).addKeyValue("error", failure.toString())
			.log("Outbox {} of {}{} has failed after {} message(s): these are done, the others can be repeated", verb,
					selection, by(action), result.affected());
		record(action);
	}

	/**
	 * Record something of which the log tells in another line.
	 * @param verb what was done
	 * @param what to what
	 */
	public void record(String verb, String what) {
		record(verb, what, new VerbResult(0, 0, List.of()), null);
	}

	/**
	 * Record a verb of which the log tells in another line.
	 * @param verb its name
	 * @param selection to which messages
	 * @param result what was done
	 * @param error what went wrong, {@code null} if nothing did
	 */
	public void record(String verb, String selection, VerbResult result, @Nullable String error) {
		record(new OperatorAction(operator(), verb, selection, result.affected(), result.passedOver(), error));
	}

	/**
	 * List what was done, the last first.
	 * @param range when
	 * @param before only entries with a lower id
	 * @param size how many at most
	 * @return the entries
	 */
	public List<AuditEntry> list(TimeRange range, long before, int size) {
		return this.trail.list(range, before, size);
	}

	private OperatorAction action(String verb, String selection, VerbResult result, @Nullable String error) {
		return new OperatorAction(operator(), verb, selection, result.affected(), result.passedOver(), error);
	}

	// The verb is done, whether its operator is known or not
	private @Nullable String operator() {
		try {
			return this.identity.current();
		}
		catch (RuntimeException ex) {
			logger.atWarn()
				.setCause(ex)
				.addKeyValue("error", ex.toString())
				.log("The operator is not known, because {} has failed: {}", this.identity.getClass().getName(),
						ex.toString());
			return null;
		}
	}

	private static LoggingEventBuilder line(LoggingEventBuilder line, OperatorAction action) {
		LoggingEventBuilder named = (action.operator() != null) ? line.addKeyValue("operator", action.operator())
				: line;
		return named.addKeyValue("verb", action.verb())
			.addKeyValue("selection", action.selection())
			.addKeyValue("affected", action.affected());
	}

	private static String by(OperatorAction action) {
		return (action.operator() != null) ? " by " + action.operator().replaceAll("\\p{Cntrl}", "?") : "";
	}

	// What was done is done, whether it can be recorded or not
	private void record(OperatorAction action) {
		try {
			this.trail.record(action);
		}
		catch (RuntimeException ex) {
			line(logger.atWarn(), action).addKeyValue("error", ex.toString())
				.log("Outbox {} of {}{} could not be recorded in the audit trail: {}", action.verb(),
						action.selection(), by(action), ex.toString());
		}
	}

}
