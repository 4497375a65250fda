/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.monitor;

import java.security.Principal;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.InvocationContext;
import org.springframework.boot.actuate.endpoint.OperationType;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvoker;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvokerAdvisor;
import org.springframework.boot.actuate.endpoint.invoke.OperationParameters;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;

/**
 * Tells the thread that works for an endpoint of the outbox or the inbox who has signed
 * in. With WebFlux Spring Security knows that for the request, which another thread than
 * that of the operation has.
 */
final class SignedInOperator implements OperationInvokerAdvisor {

	private static final Set<EndpointId> ENDPOINTS = Stream.of("outbox", "orderedoutbox", "inbox", "orderedinbox")
		.map(EndpointId::of)
		.collect(Collectors.toUnmodifiableSet());

	@Override
	public OperationInvoker apply(EndpointId endpointId, OperationType operationType, OperationParameters parameters,
			OperationInvoker invoker) {
		return ENDPOINTS.contains(endpointId) ? (context) -> invoke(invoker, context) : invoker;
	}

	private static @Nullable Object invoke(OperationInvoker invoker, InvocationContext context) {
		SecurityContext before = SecurityContextHolder.getContext();
		SecurityContext request = SecurityContextHolder.createEmptyContext();
		request.setAuthentication(
				(context.resolveArgument(Principal.class) instanceof Authentication known) ? known : null);
		SecurityContextHolder.setContext(request);
		try {
			return invoker.invoke(context);
		}
		finally {
			if (before.getAuthentication() != null) {
				SecurityContextHolder.setContext(before);
			}
			else {
				SecurityContextHolder.clearContext();
			}
		}
	}

}
