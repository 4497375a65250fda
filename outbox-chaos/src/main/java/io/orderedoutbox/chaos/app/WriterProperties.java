/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.app;

import java.nio.file.Path;
import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What a writer is told.
 *
 * @param life the name of this life of the process
 * @param directory where to leave traces
 * @param seed decides what is written
 * @param threads number of threads that write
 * @param keys number of partition keys that all writers share
 * @param longestPause how long a transaction may stay open after it has written
 */
@ConfigurationProperties("chaos")
record WriterProperties(String life, Path directory, long seed, int threads, int keys,
		@DefaultValue("40ms") Duration longestPause) {

}
