/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.debezium;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntPredicate;

import io.debezium.embedded.Connect;
import io.debezium.engine.ChangeEvent;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.DebeziumEngine.ConnectorCallback;
import org.apache.kafka.connect.source.SourceRecord;
import org.awaitility.Awaitility;

/**
 * An engine of Debezium that reads the log of the database from where the one before it
 * has ended, and remembers the records.
 */
final class Capture implements AutoCloseable {

	/** The key of a message that a test publishes before the engine starts. */
	static final String FIRST = "first";

	private final List<CapturedRecord> records = new CopyOnWriteArrayList<>();

	private final CompletableFuture<String> ended = new CompletableFuture<>();

	private final ExecutorService thread = Executors.newSingleThreadExecutor();

	private final DebeziumEngine<ChangeEvent<SourceRecord, SourceRecord>> engine;

	private Capture(Properties settings, CompletableFuture<Boolean> started) {
		this.engine = DebeziumEngine.create(Connect.class)
			.using(settings)
			.notifying((event) -> this.records.add(CapturedRecord.of(event.value(), settings)))
			.using(new ConnectorCallback() {

				@Override
				public void pollingStarted() {
					started.complete(true);
				}

			})
			.using((success, message, error) -> {
				this.ended.complete(message + ((error != null) ? ": " + error : ""));
				started.complete(false);
			})
			.build();
	}

	static Capture start(Properties settings) {
		CompletableFuture<Boolean> started = new CompletableFuture<>();
		Capture capture = new Capture(settings, started);
		capture.thread.execute(capture.engine);
		try {
			if (!started.get(60, TimeUnit.SECONDS)) {
				throw new IllegalStateException("The engine has not started: " + capture.ended.getNow(""));
			}
			return capture;
		}
		catch (InterruptedException | ExecutionException | TimeoutException ex) {
			throw new IllegalStateException("The engine has not started", ex);
		}
	}

	/**
	 * The records, without the one that {@link #FIRST} stands for.
	 */
	List<CapturedRecord> records() {
		return this.records.stream().filter((record) -> !record.key().equals(FIRST)).toList();
	}

	/**
	 * Wait until the message that was published before the engine started has arrived.
	 * From then on records come from the log: what was in the table has been read.
	 */
	Capture awaitFirst() {
		until(() -> this.records.stream().anyMatch((record) -> record.key().equals(FIRST)));
		return this;
	}

	List<CapturedRecord> await(int count) {
		return await((size) -> size >= count);
	}

	List<CapturedRecord> await(IntPredicate size) {
		until(() -> size.test(records().size()));
		return records();
	}

	private void until(Callable<Boolean> condition) {
		Awaitility.await()
			.atMost(60, TimeUnit.SECONDS)
			.failFast("The engine has ended", this.ended::isDone)
			.until(condition);
	}

	/**
	 * Stop it, when it has stored how far it has come.
	 */
	@Override
	public void close() {
		try {
			this.engine.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		finally {
			this.thread.shutdown();
		}
	}

}
