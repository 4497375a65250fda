package io.orderedoutbox.admin;

import java.util.List;

/**
 * The workers of all instances, for eyes only: nothing depends on what it says, and an
 * instance that cannot say that it is there relays all the same.
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

}
