/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.admin;

import org.jspecify.annotations.Nullable;

/**
 * Knows which operator the current thread works for. Declare a bean of this type to
 * replace the default, which asks Spring Security where that is on the class path.
 */
@FunctionalInterface
public interface OperatorIdentity {

	/**
	 * Return who is about to do something.
	 * @return the name of the operator, or {@code null} if it is not known
	 */
	@Nullable String current();

}
