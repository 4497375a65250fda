/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.app;

import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;

import org.springframework.beans.factory.DisposableBean;

/**
 * Writes down the transactions that this process knows to be committed: the number of
 * each, a moment after its commit, and how many messages it published. What was not
 * flushed when the process was killed is lost.
 */
final class CommitLog implements DisposableBean {

	private final DataOutputStream file;

	CommitLog(WriterProperties properties) throws IOException {
		this.file = new DataOutputStream(new BufferedOutputStream(
				Files.newOutputStream(properties.directory().resolve(properties.life() + ".commits"))));
	}

	synchronized void add(long transaction, int messages) {
		try {
			this.file.writeLong(transaction);
			this.file.writeLong(System.nanoTime());
			this.file.writeInt(messages);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	synchronized void flush() {
		try {
			this.file.flush();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public void destroy() {
		flush();
	}

}
