/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.inbox;

import java.util.function.Supplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.amqp.rabbit.config.AbstractRabbitListenerContainerFactory;
import org.springframework.amqp.support.converter.MessageConverter;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Gives a message converter to the listeners of all container factories that are beans
 * and have none.
 * <p>
 * A factory that has one keeps it, whether the application has set it or Spring Boot,
 * because the application has a bean of type {@link MessageConverter}: listeners that
 * depend on it may get messages of other producers. A line of the log says so.
 */
final class ListenerConverter implements BeanPostProcessor {

	private static final Logger logger = LoggerFactory.getLogger(ListenerConverter.class);

	private final String name;

	private final boolean isExpected;

	private final Supplier<MessageConverter> converter;

	/**
	 * Create a post-processor.
	 * @param name the name of the bean with the converter
	 * @param isExpected whether the application has asked for it, so that a factory that
	 * does not get it is worth a line of the log
	 * @param converter the converter
	 */
	ListenerConverter(String name, boolean isExpected, Supplier<MessageConverter> converter) {
		this.name = name;
		this.isExpected = isExpected;
		this.converter = converter;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (bean instanceof AbstractRabbitListenerContainerFactory<?> factory) {
			MessageConverter ours = this.converter.get();
			// It has no getter
			Object own = new DirectFieldAccessor(factory).getPropertyValue("messageConverter");
			if (own == null) {
				factory.setMessageConverter(ours);
			}
			else if (own != ours && this.isExpected) {
				logger.atWarn()
					.addKeyValue("bean", beanName)
					.log("The listeners of '{}' keep the message converter that the application has given them, {}: the names of messages do not say what they get. Remove it, or set @RabbitListener(messageConverter = \"{}\") where they should",
							beanName, own.getClass().getName(), this.name);
			}
		}
		return bean;
	}

}
