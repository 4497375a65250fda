package io.orderedoutbox.monitor;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.orderedoutbox.RelayWorkerStatus;
import io.orderedoutbox.RelayWorkers;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/**
 * Knows the instance that it is in, and all others that have lately said what their
 * workers are doing. While the database does not answer it knows no other.
 */
public final class AllInstances implements Instances {

	private static final Logger logger = LoggerFactory.getLogger(AllInstances.class);

	private final Instances self;

	private final @Nullable WorkerHeartbeat heartbeat;

	private final RelayWorkers workers;

	/**
	 * Create it.
	 * @param self knows this instance
	 * @param heartbeat knows under which id this instance says what it is doing,
	 * {@code null} if it does not
	 * @param workers the workers of all instances
	 */
	public AllInstances(Instances self, @Nullable WorkerHeartbeat heartbeat, RelayWorkers workers) {
		this.self = self;
		this.heartbeat = heartbeat;
		this.workers = workers;
	}

	@Override
	public List<InstanceDescriptor> list() {
		List<InstanceDescriptor> all = new ArrayList<>(this.self.list());
		others().values().stream().map(InstanceDescriptor::other).forEach(all::add);
		return all;
	}

	private Map<String, List<RelayWorkerStatus>> others() {
		Map<String, List<RelayWorkerStatus>> found = seen().stream()
			.collect(Collectors.groupingBy(RelayWorkerStatus::instance, LinkedHashMap::new, Collectors.toList()));
		if (this.heartbeat != null) {
			found.remove(this.heartbeat.instance());
		}
		return found;
	}

	private List<RelayWorkerStatus> seen() {
		try {
			return this.workers.list();
		}
		catch (DataAccessException | TransactionException ex) {
			logger.debug("The other instances cannot be seen", ex);
			return List.of();
		}
	}

}
