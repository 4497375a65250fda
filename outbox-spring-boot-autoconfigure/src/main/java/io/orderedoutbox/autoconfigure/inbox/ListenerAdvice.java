/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.inbox;

import java.util.function.Supplier;
import java.util.stream.Stream;

import org.aopalliance.aop.Advice;

import org.springframework.amqp.rabbit.config.AbstractRabbitListenerContainerFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Puts an advice around all listeners, outside of those that the application has.
 */
final class ListenerAdvice implements BeanPostProcessor {

	private final Supplier<Advice> advice;

	ListenerAdvice(Supplier<Advice> advice) {
		this.advice = advice;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (bean instanceof AbstractRabbitListenerContainerFactory<?> factory) {
			Advice[] present = factory.getAdviceChain();
			factory.setAdviceChain(
					Stream.concat(Stream.of(this.advice.get()), Stream.of((present != null) ? present : new Advice[0]))
						.toArray(Advice[]::new));
		}
		return bean;
	}

}
