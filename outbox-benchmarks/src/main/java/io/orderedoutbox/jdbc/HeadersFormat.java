/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc;

import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What the headers of a message cost on their way into the database and out of it.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class HeadersFormat {

	@Param({ "0", "2" })
	int count;

	private Map<String, Object> headers = Map.of();

	private String column = "";

	/**
	 * Make the headers.
	 */
	@Setup
	public void prepare() {
		this.headers = (this.count == 0) ? Map.of() : Map.of("x-correlation-id", "6f1c1cf0-62a5-4a2c-a7b5-0c5c2c9b2a11",
				"traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");
		String written = Headers.write(this.headers);
		this.column = (written != null) ? written : "";
	}

	/**
	 * Into the database.
	 */
	@Benchmark
	public Object write() {
		String written = Headers.write(this.headers);
		return (written != null) ? written : this.column;
	}

	/**
	 * Out of the database.
	 */
	@Benchmark
	public Object read() {
		return Headers.read(this.column.isEmpty() ? null : this.column);
	}

}
