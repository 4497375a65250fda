/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.condition;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

import io.orderedoutbox.send.MessageSender;

import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * The senders of the outbox itself, as properties call them. Any other name is that of a
 * {@link MessageSender} bean.
 */
public enum SenderName {

	/**
	 * RabbitMQ.
	 */
	RABBIT("orderedOutboxMessageSender"),

	/**
	 * Kafka.
	 */
	KAFKA("orderedOutboxKafkaMessageSender"),

	/**
	 * Listeners in the same application.
	 */
	IN_PROCESS("orderedOutboxListenerMessageSender");

	private static final Bindable<Map<String, String>> SENDERS = Bindable.mapOf(String.class, String.class);

	private final String bean;

	SenderName(String bean) {
		this.bean = bean;
	}

	/**
	 * Whether anything is sent with it.
	 */
	boolean isUsed(Environment environment) {
		return isUsed(environment, "outbox");
	}

	/**
	 * Whether anything of an outbox is sent with it.
	 * @param outbox what the names of its properties begin with
	 */
	boolean isUsed(Environment environment, String outbox) {
		return used(environment, outbox).stream().anyMatch(this::isMeantBy);
	}

	/**
	 * Whether it has to be looked up which sender a message has: there is more than one,
	 * or a bean of the application that only its name tells from others.
	 */
	static boolean areNamed(Environment environment) {
		List<String> used = used(environment, "outbox");
		return used.stream().map(SenderName::beanOf).distinct().count() > 1
				|| used.stream().anyMatch(SenderName::isOfApplication);
	}

	/**
	 * Whether a property means a bean of the application.
	 * @param written what the property says
	 */
	public static boolean isOfApplication(String written) {
		return Stream.of(values()).noneMatch((known) -> known.isMeantBy(written));
	}

	private static List<String> used(Environment environment, String outbox) {
		Binder binder = Binder.get(environment);
		String sender = binder.bind(outbox + ".sender", String.class).orElse("rabbit");
		return Stream
			.concat(Stream.of(sender), binder.bind(outbox + ".senders", SENDERS).orElse(Map.of()).values().stream())
			.toList();
	}

	private boolean isMeantBy(String written) {
		return written.trim()
			.replace("-", "")
			.replace("_", "")
			.toLowerCase(Locale.ROOT)
			.equals(name().replace("_", "").toLowerCase(Locale.ROOT));
	}

	/**
	 * The name of the bean that a property means.
	 * @param written what the property says
	 */
	public static String beanOf(String written) {
		return Stream.of(values())
			.filter((sender) -> sender.isMeantBy(written))
			.findFirst()
			.map((sender) -> sender.bean)
			.orElse(written.trim());
	}

}
