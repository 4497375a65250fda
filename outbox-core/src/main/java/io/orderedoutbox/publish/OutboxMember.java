/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish;

import java.util.Collection;

import io.orderedoutbox.Outbox;
import org.jspecify.annotations.Nullable;

/**
 * One of several outboxes of an application.
 */
public interface OutboxMember {

	/**
	 * Return its name.
	 * @return the name
	 */
	String name();

	/**
	 * Return what publishes to it.
	 * @return the outbox, {@code null} if it is switched off
	 */
	@Nullable Outbox outbox();

	/**
	 * Return whether the calling thread is in a transaction that it can join.
	 * @return whether it is
	 */
	boolean isInTransaction();

	/**
	 * Return the packages whose events it takes, with those below them.
	 * @return the names of the packages
	 */
	Collection<String> packages();

}
