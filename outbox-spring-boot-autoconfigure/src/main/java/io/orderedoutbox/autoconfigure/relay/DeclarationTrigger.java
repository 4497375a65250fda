/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.relay;

import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import io.orderedoutbox.send.OutboxScope;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.amqp.rabbit.connection.Connection;
import org.springframework.amqp.rabbit.connection.ConnectionListener;
import org.springframework.amqp.rabbit.core.RabbitAdmin;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * Has the application's exchanges and queues declared when the relay connects. They are
 * otherwise declared when the application itself connects, which one that only publishes
 * through the outbox never does.
 * <p>
 * The declarations are made in another thread, on the application's own connection:
 * whatever the application does there, and however often it tries, the relay does not
 * take part in it. The relay waits for a moment, so that what the first messages need is
 * there before them, and only as long as the last declarations succeeded within it.
 */
final class DeclarationTrigger implements ConnectionListener, DisposableBean {

	private static final Logger logger = LoggerFactory.getLogger(DeclarationTrigger.class);

	private static final Duration PATIENCE = Duration.ofSeconds(2);

	private final DeclaringAdmins admins;

	// One at a time. One more may wait for its turn: it declares what all that would come
	// behind it would declare
	private final ThreadPoolExecutor executor = new ThreadPoolExecutor(0, 1, 1, TimeUnit.SECONDS,
			new ArrayBlockingQueue<>(1), threads(), new ThreadPoolExecutor.DiscardPolicy());

	private volatile boolean prompt = true;

	DeclarationTrigger(DeclaringAdmins admins) {
		this.admins = admins;
	}

	private static CustomizableThreadFactory threads() {
		CustomizableThreadFactory threads = new CustomizableThreadFactory(
				OutboxScope.label("outbox-relay-declarations-"));
		threads.setDaemon(true);
		return threads;
	}

	@Override
	public void onCreate(@Nullable Connection connection) {
		CountDownLatch declared = new CountDownLatch(1);
		this.executor.execute(() -> {
			try {
				declare();
			}
			finally {
				declared.countDown();
			}
		});
		if (this.prompt && !isDone(declared)) {
			this.prompt = false;
		}
	}

	private static boolean isDone(CountDownLatch declared) {
		try {
			return declared.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

	private void declare() {
		long start = System.nanoTime();
		boolean declared = isDone(this::declareByEach);
		this.prompt = declared && System.nanoTime() - start < PATIENCE.toNanos();
	}

	private boolean declareByEach() {
		return this.admins.stream().filter(RabbitAdmin::isAutoStartup).toList().stream().map((admin) -> isDone(() -> {
			admin.initialize();
			return true;
		})).reduce(true, Boolean::logicalAnd);
	}

	// It calls code of the application, which may throw anything
	private static boolean isDone(BooleanSupplier declaration) {
		try {
			return declaration.getAsBoolean();
		}
		catch (RuntimeException ex) {
			logger.atWarn()
				.setCause(ex)
				.addKeyValue("error", ex.toString())
				.log("Exchanges and queues could not be declared; messages to those that are missing stay in the outbox");
			return false;
		}
	}

	/**
	 * End what goes on: an admin that waits before it tries once more is interrupted.
	 */
	@Override
	public void destroy() {
		this.executor.shutdownNow();
	}

}
