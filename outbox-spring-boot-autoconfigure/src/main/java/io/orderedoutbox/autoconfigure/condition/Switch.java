/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.condition;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * Parts of the library that properties switch on and off when the application starts.
 */
public enum Switch {

	/**
	 * The outbox itself.
	 */
	OUTBOX,

	/**
	 * A word that there is no outbox.
	 */
	NO_OUTBOX,

	/**
	 * Outboxes with names, and none without.
	 */
	ONLY_NAMED,

	/**
	 * An outbox with a name that is drained once.
	 */
	NAMED_ONCE,

	/**
	 * Any outbox.
	 */
	ANY_OUTBOX,

	/**
	 * Listeners in the same application, of any outbox.
	 */
	ANY_LISTENERS,

	/**
	 * The relay, for ever or once.
	 */
	RELAY,

	/**
	 * The relay that runs all the time.
	 */
	CONTINUOUS_RELAY,

	/**
	 * The relay that drains the outbox once.
	 */
	ONE_SHOT_RELAY,

	/**
	 * Sending to RabbitMQ.
	 */
	RABBIT_SENDER,

	/**
	 * Sending to Kafka.
	 */
	KAFKA_SENDER,

	/**
	 * Listeners in the same application.
	 */
	IN_PROCESS_SENDER,

	/**
	 * Senders that are told apart by their names.
	 */
	NAMED_SENDERS,

	/**
	 * A connection pool of the relay's own.
	 */
	RELAY_POOL,

	/**
	 * The removal of what has been in the archive for long enough.
	 */
	ARCHIVE,

	/**
	 * The monitor page.
	 */
	PAGE,

	/**
	 * The summary on the terminal.
	 */
	TERMINAL,

	/**
	 * The inbox, with or without an outbox.
	 */
	INBOX,

	/**
	 * Queues that share the partitions, with or without an outbox.
	 */
	SHARDS,

	/**
	 * What operators see of the consuming side: of the inbox, and of queues that share
	 * the partitions.
	 */
	CONSUMER,

	/**
	 * Payloads of listeners by the names of messages, with or without an outbox.
	 */
	TYPES,

	/**
	 * No payloads by the names of messages.
	 */
	NO_TYPES;

	private static final Set<Switch> WITHOUT_OUTBOX = EnumSet.of(ONLY_NAMED, NAMED_ONCE, ANY_OUTBOX, ANY_LISTENERS,
			PAGE, INBOX, SHARDS, CONSUMER, TYPES, NO_TYPES);

	private static final Bindable<Map<String, String>> TYPES_BY_NAME = Bindable.mapOf(String.class, String.class);

	private static final Bindable<List<String>> PACKAGES = Bindable.listOf(String.class);

	/**
	 * Whether it is on, or can still be switched on: while the application is processed
	 * ahead of time nobody knows how it will start.
	 * @param environment has the properties
	 * @return whether it may be on when the application runs
	 */
	public boolean mayBeOn(Environment environment) {
		return SwitchCondition.isProcessingAheadOfTime() || isOn(environment);
	}

	/**
	 * Whether it is on, by the values that Spring Boot binds: it forgives spaces, case
	 * and dashes, and takes a mode or a size that is left blank for none.
	 * @param environment has the properties
	 * @return whether it is on
	 * @throws BindException if a value cannot be bound
	 */
	public boolean isOn(Environment environment) {
		Binder binder = Binder.get(environment);
		return (WITHOUT_OUTBOX.contains(this) || isTrue(binder, "outbox.enabled", true)) ? switch (this) {
			case OUTBOX -> true;
			case NO_OUTBOX -> false;
			case ONLY_NAMED -> !isTrue(binder, "outbox.enabled", true) && hasNamed(environment);
			case NAMED_ONCE -> hasNamed(binder, environment, (named) -> mode(binder, named) == RelayMode.ONCE);
			case ANY_LISTENERS -> isInProcess(binder, environment);
			case ANY_OUTBOX -> isTrue(binder, "outbox.enabled", true) || hasNamed(environment);
			case RELAY -> mode(binder) != RelayMode.OFF;
			case CONTINUOUS_RELAY -> mode(binder) == RelayMode.CONTINUOUS;
			case ONE_SHOT_RELAY -> mode(binder) == RelayMode.ONCE;
			case RABBIT_SENDER -> mode(binder) != RelayMode.OFF && SenderName.RABBIT.isUsed(environment);
			case KAFKA_SENDER -> SenderName.KAFKA.isUsed(environment);
			case IN_PROCESS_SENDER -> SenderName.IN_PROCESS.isUsed(environment);
			case NAMED_SENDERS -> mode(binder) != RelayMode.OFF && SenderName.areNamed(environment);
			case RELAY_POOL -> binder.bind("outbox.relay.pool-size", Integer.class).isBound();
			case ARCHIVE -> isTrue(binder, "outbox.archive.enabled", false);
			case PAGE -> ANY_OUTBOX.isOn(environment) && isTrue(binder, "outbox.monitor.enabled", false);
			case TERMINAL -> mode(binder) == RelayMode.CONTINUOUS && isTrue(binder, "outbox.terminal.enabled", false);
			case INBOX -> isTrue(binder, "outbox.inbox.enabled", false);
			case SHARDS -> binder.bind("outbox.rabbit.shards.count", Integer.class).isBound();
			case CONSUMER -> INBOX.isOn(environment) || SHARDS.isOn(environment);
			case TYPES -> !binder.bind("outbox.inbox.types", TYPES_BY_NAME).orElse(Map.of()).isEmpty()
					|| !binder.bind("outbox.inbox.type-packages", PACKAGES).orElse(List.of()).isEmpty();
			case NO_TYPES -> !TYPES.isOn(environment);
		} : this == NO_OUTBOX && !hasNamed(environment);
	}

	private static boolean hasNamed(Environment environment) {
		return hasNamed(Binder.get(environment), environment, (named) -> true);
	}

	// One that is not switched off
	private static boolean hasNamed(Binder binder, Environment environment, Predicate<String> condition) {
		return OutboxNames.of(environment)
			.stream()
			.map((name) -> OutboxNames.PREFIX + "." + name)
			.anyMatch((named) -> isTrue(binder, named + ".enabled", true) && condition.test(named));
	}

	private static boolean isInProcess(Binder binder, Environment environment) {
		return (isTrue(binder, "outbox.enabled", true) && SenderName.IN_PROCESS.isUsed(environment))
				|| hasNamed(binder, environment, (named) -> SenderName.IN_PROCESS.isUsed(environment, named));
	}

	private static RelayMode mode(Binder binder) {
		return mode(binder, "outbox");
	}

	private static RelayMode mode(Binder binder, String outbox) {
		return binder.bind(outbox + ".relay.mode", RelayMode.class).orElse(RelayMode.CONTINUOUS);
	}

	private static boolean isTrue(Binder binder, String property, boolean otherwise) {
		return binder.bind(property, boolean.class).orElse(otherwise);
	}

}
