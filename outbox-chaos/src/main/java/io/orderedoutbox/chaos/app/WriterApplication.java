/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.app;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * An application that only writes. It is told with {@code chaos.*} what to call itself,
 * where to leave its traces, and what to write.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@EnableConfigurationProperties(WriterProperties.class)
@Import({ ReadyFile.class, LedgerStore.Installer.class, CommitLog.class, Demand.class, Publications.class,
		Writers.class })
public class WriterApplication {

	/**
	 * Start it.
	 * @param arguments Spring Boot's
	 */
	public static void main(String[] arguments) {
		SpringApplication.run(WriterApplication.class, arguments);
	}

}
