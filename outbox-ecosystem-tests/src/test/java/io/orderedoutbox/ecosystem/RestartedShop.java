/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.ecosystem;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

import org.awaitility.Awaitility;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.devtools.restart.Restarter;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * An application that publishes an event each time it is started, and lets devtools start
 * it again, {@value #STARTS} times in one process. The last one says what is left of the
 * others.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class RestartedShop {

	static final int STARTS = 3;

	private final ApplicationEventPublisher publisher;

	private final TransactionTemplate transaction;

	private final JdbcClient jdbc;

	RestartedShop(ApplicationEventPublisher publisher, TransactionTemplate transaction, JdbcClient jdbc) {
		this.publisher = publisher;
		this.transaction = transaction;
		this.jdbc = jdbc;
	}

	public static void main(String[] args) {
		SpringApplication.run(RestartedShop.class, args);
	}

	@EventListener(ApplicationReadyEvent.class)
	public void publish() {
		List<WeakReference<ClassLoader>> loaders = loaders();
		loaders.add(new WeakReference<>(getClass().getClassLoader()));
		int number = loaders.size();
		OrderChanged event = new OrderChanged("a", number);
		this.transaction.executeWithoutResult((status) -> this.publisher.publishEvent(event));
		Awaitility.await()
			.atMost(Duration.ofSeconds(20))
			.until(() -> this.jdbc.sql("SELECT COUNT(*) FROM outbox_message").query(Integer.class).single() == 0);
		System.out.printf("start %d in %s: %d threads, %d instances%n", number,
				getClass().getClassLoader().getClass().getSimpleName(), threads(), instances());
		if (number < STARTS) {
			new Thread(() -> Restarter.getInstance().restart(), "restart").start();
		}
		else {
			new Thread(() -> end(loaders), "end").start();
		}
	}

	// What outlives each restart: the properties of the JVM
	@SuppressWarnings("unchecked")
	private static List<WeakReference<ClassLoader>> loaders() {
		Properties properties = System.getProperties();
		return (List<WeakReference<ClassLoader>>) properties.computeIfAbsent("shop.loaders",
				(name) -> new ArrayList<WeakReference<ClassLoader>>());
	}

	private static long threads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().startsWith("outbox"))
			.count();
	}

	private int instances() {
		return this.jdbc.sql("SELECT COUNT(*) FROM outbox_instance").query(Integer.class).single();
	}

	// That of the first start is kept by whatever the JVM has started only once, such as
	// the thread of a driver
	private static void end(List<WeakReference<ClassLoader>> loaders) {
		List<WeakReference<ClassLoader>> old = loaders.subList(1, STARTS - 1);
		try {
			Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> {
				System.gc();
				return old.stream().allMatch((loader) -> loader.refersTo(null));
			});
			System.out.println("nothing is left of the others");
			System.exit(0);
		}
		catch (RuntimeException ex) {
			ex.printStackTrace();
			System.exit(1);
		}
	}

}
