/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.monitor;

import io.orderedoutbox.admin.OperatorIdentity;
import org.jspecify.annotations.Nullable;

import org.springframework.security.authentication.AuthenticationTrustResolver;
import org.springframework.security.authentication.AuthenticationTrustResolverImpl;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;

/**
 * The operator is whom Spring Security has authenticated on this thread. A user of whom
 * it knows nothing has a name there too, and is nobody here.
 */
final class SecurityOperatorIdentity implements OperatorIdentity {

	private final AuthenticationTrustResolver trust = new AuthenticationTrustResolverImpl();

	@Override
	public @Nullable String current() {
		Authentication authentication = SecurityContextHolder.getContext().getAuthentication();
		return (authentication != null && this.trust.isAuthenticated(authentication)) ? authentication.getName() : null;
	}

}
