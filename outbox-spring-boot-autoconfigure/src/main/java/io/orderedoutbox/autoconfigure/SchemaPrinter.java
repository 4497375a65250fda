/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.jdbc.OutboxSchema;
import io.orderedoutbox.jdbc.Partitions;
import io.orderedoutbox.schema.SchemaScript;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ClassPathResource;

/**
 * Prints the script of the tables and ends the process, where
 * {@code outbox.jdbc.print-schema} says so. It does that before any bean is made: nothing
 * connects to a database, and no migration runs.
 */
public final class SchemaPrinter implements ApplicationContextInitializer<ConfigurableApplicationContext> {

	private static final String PRINT = "outbox.jdbc.print-schema";

	@Override
	public void initialize(ConfigurableApplicationContext context) {
		Environment environment = context.getEnvironment();
		String platform = environment.getProperty(PRINT, "");
		if (!platform.isEmpty()) {
			print(script(environment, platform));
			System.exit(0);
		}
	}

	// Whatever else the application does with System.out
	private static void print(String script) {
		PrintStream output = new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
		output.print(script);
		output.flush();
	}

	/**
	 * The script of an application.
	 * @throws OutboxConfigurationException if there is none for the platform
	 */
	static String script(Environment environment, String platform) {
		String outbox = OutboxSchema
			.script(platform, environment.getProperty("outbox.jdbc.table-prefix", "outbox_"),
					Binder.get(environment).bind("outbox.partitions", Integer.class).orElse(Partitions.DEFAULT_COUNT))
			.text();
		return Binder.get(environment).bind("outbox.inbox.enabled", Boolean.class).orElse(false)
				? outbox + "\n" + inbox(environment, platform) : outbox;
	}

	private static String inbox(Environment environment, String platform) {
		return SchemaScript.of(new ClassPathResource("io/orderedoutbox/inbox/schema-%s.sql".formatted(platform)))
			.changed((sql) -> sql
				.replace("inbox_message", environment.getProperty("outbox.inbox.table", "inbox_message"))
				.replace("inbox_dead_letter",
						environment.getProperty("outbox.inbox.dead-letter-table", "inbox_dead_letter")))
			.text();
	}

}
