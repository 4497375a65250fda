package io.orderedoutbox.autoconfigure.monitor;

import io.orderedoutbox.admin.OperatorIdentity;
import org.jspecify.annotations.Nullable;

import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;

/**
 * The operator is whom Spring Security has authenticated on this thread.
 */
final class SecurityOperatorIdentity implements OperatorIdentity {

	@Override
	public @Nullable String current() {
		Authentication authentication = SecurityContextHolder.getContext().getAuthentication();
		return (authentication != null && authentication.isAuthenticated()) ? authentication.getName() : null;
	}

}
