/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox;

import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import org.springframework.aop.framework.AbstractAdvisingBeanPostProcessor;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.core.Ordered;

/**
 * Puts an interceptor around beans with {@link ProcessOnce}, outside of their
 * transactions. The interceptor needs a {@link DeliveryScope} around the listeners.
 */
public final class ProcessOncePostProcessor extends AbstractAdvisingBeanPostProcessor {

	private static final long serialVersionUID = 1L;

	/**
	 * Create a post-processor.
	 * @param isEnabled whether there is an inbox
	 * @param inbox the inbox; asked when a message is delivered
	 * @param withoutId what to do with messages that have no id
	 * @param listeners are told what became of messages
	 */
	public ProcessOncePostProcessor(BooleanSupplier isEnabled, Supplier<Inbox> inbox, Supplier<WithoutId> withoutId,
			Supplier<List<InboxListener>> listeners) {
		this.advisor = new DefaultPointcutAdvisor(new ProcessOnceMethods(isEnabled),
				new ProcessOnceInterceptor(inbox, withoutId, listeners));
		setBeforeExistingAdvisors(true);
		setProxyTargetClass(true);
		// Before the one that makes listeners of beans, which comes last
		setOrder(Ordered.LOWEST_PRECEDENCE - 1);
	}

}
