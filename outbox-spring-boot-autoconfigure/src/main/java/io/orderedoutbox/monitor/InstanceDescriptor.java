package io.orderedoutbox.monitor;

import java.time.Instant;

import io.orderedoutbox.monitor.OverviewDescriptor.RelayDescriptor;

/**
 * An instance of the application.
 *
 * @param host the name of its host
 * @param pid its process
 * @param startedAt when the process began
 * @param self whether it is the one that answers
 * @param relay its relay
 */
public record InstanceDescriptor(String host, long pid, Instant startedAt, boolean self, RelayDescriptor relay) {

}
