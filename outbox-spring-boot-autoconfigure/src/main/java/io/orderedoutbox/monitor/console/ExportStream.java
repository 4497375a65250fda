/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor.console;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import io.orderedoutbox.admin.JsonLines;
import io.orderedoutbox.admin.MessageContent;
import io.orderedoutbox.admin.MessageExport;
import io.orderedoutbox.admin.OperatorJournal;
import io.orderedoutbox.admin.VerbResult;

import org.springframework.util.MimeType;

/**
 * What is exported as JSON, a message on each line, written as it is read: no more than a
 * part of the export is in memory. Payloads and the values of headers are left out or
 * masked unless the export has payloads.
 * <p>
 * The journal is told at the end, also of an export that the client does not read to its
 * end. An export that fails in the middle ends in an {@link IOException}, so that the
 * client is not told that it has all.
 * <p>
 * When the client goes away the server of WebFlux closes the stream in a thread that must
 * not wait, while another one may be reading: then a thread of its own tells the journal.
 */
final class ExportStream extends InputStream {

	/** The type of its content. */
	static final MimeType TYPE = new MimeType("application", "x-ndjson");

	private final MessageExport export;

	private final Iterator<MessageContent> messages;

	private final OperatorJournal journal;

	private final ByteArrayOutputStream line = new ByteArrayOutputStream();

	private final Writer writer = new OutputStreamWriter(this.line, StandardCharsets.UTF_8);

	private final JsonLines lines;

	private final AtomicLong exported = new AtomicLong();

	private final AtomicBoolean isTold = new AtomicBoolean();

	private volatile Thread reader = Thread.currentThread();

	private byte[] read = {};

	private int position;

	private ExportStream(MessageExport export, Iterator<MessageContent> messages, OperatorJournal journal) {
		this.export = export;
		this.messages = messages;
		this.journal = journal;
		this.lines = export.withPayloads() ? new JsonLines(this.writer) : JsonLines.masking(this.writer);
	}

	/**
	 * Open it for the operator of this thread, and read the first part: what cannot be
	 * exported at all is known then.
	 */
	static ExportStream open(Operations operations, MessageExport export) {
		Iterator<MessageContent> messages = operations.administration().export(export);
		return new ExportStream(export, messages.hasNext() ? messages : Collections.emptyIterator(),
				operations.journal().ofCurrentOperator());
	}

	@Override
	public int read() throws IOException {
		return isAtEnd() ? -1 : this.read[this.position++] & 0xff;
	}

	@Override
	public int read(byte[] target, int offset, int length) throws IOException {
		if (length == 0) {
			return 0;
		}
		if (isAtEnd()) {
			return -1;
		}
		int count = Math.min(length, this.read.length - this.position);
		System.arraycopy(this.read, this.position, target, offset, count);
		this.position += count;
		return count;
	}

	private boolean isAtEnd() throws IOException {
		this.reader = Thread.currentThread();
		try {
			if (this.position == this.read.length && this.messages.hasNext()) {
				this.lines.accept(this.messages.next());
				this.writer.flush();
				this.read = this.line.toByteArray();
				this.line.reset();
				this.position = 0;
				this.exported.incrementAndGet();
			}
		}
		catch (RuntimeException ex) {
			if (isFirstToTell()) {
				tellOfFailure(ex);
			}
			throw new IOException(
					"The export of %s has ended after %d message(s)".formatted(this.export, this.exported.get()), ex);
		}
		if (this.position == this.read.length && isFirstToTell()) {
			this.journal.applied("EXPORT", this.export.toString(), result());
		}
		return this.position == this.read.length;
	}

	@Override
	public void close() {
		if (isFirstToTell()) {
			IOException failure = new IOException("the client has not read it to its end");
			if (Thread.currentThread() == this.reader) {
				tellOfFailure(failure);
			}
			else {
				new Thread(() -> tellOfFailure(failure), "outbox-export").start();
			}
		}
	}

	private boolean isFirstToTell() {
		return this.isTold.compareAndSet(false, true);
	}

	private void tellOfFailure(Exception failure) {
		this.journal.failed("EXPORT", this.export.toString(), result(), failure);
	}

	private VerbResult result() {
		return new VerbResult(this.exported.get(), 0, List.of());
	}

}
