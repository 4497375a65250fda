/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.admin;

import java.util.List;

/**
 * The workers of all instances, as they say. An instance that cannot say that it is there
 * relays all the same.
 */
@FunctionalInterface
public interface RelayWorkers {

	/**
	 * List the workers of all instances.
	 * @return the workers by instance, the oldest first; none if the table for them does
	 * not exist
	 * @throws org.springframework.dao.DataAccessException if the database cannot be
	 * reached
	 */
	List<RelayWorkerStatus> list();

	/**
	 * Return whether instances can say that they relay. If they cannot, that none is
	 * listed does not mean that there is none.
	 * @return whether there is a place where they say it
	 * @throws org.springframework.dao.DataAccessException if the database cannot be
	 * reached
	 */
	default boolean isKnown() {
		return true;
	}

}
