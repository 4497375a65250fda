/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.admin;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Queue;
import java.util.function.Supplier;

import io.orderedoutbox.admin.MessageContent;
import io.orderedoutbox.admin.MessageExport;

import org.springframework.util.function.SingletonSupplier;

/**
 * Hands over what is exported, and keeps no more than a part of it in memory.
 */
final class Export implements Iterator<MessageContent> {

	private final MessageExport export;

	private final Supplier<ExportedParts> parts;

	private final Queue<MessageContent> read = new ArrayDeque<>();

	private long left;

	Export(MessageExport export, Supplier<ExportedParts> parts) {
		this.export = export;
		this.parts = SingletonSupplier.of(parts);
		this.left = export.limit();
	}

	@Override
	public boolean hasNext() {
		while (this.left > 0 && this.read.isEmpty() && !this.parts.get().haveEnded()) {
			this.parts.get()
				.next()
				.stream()
				.filter((content) -> SelectionFragments.selects(this.export.selection(), Failure.of(content.message())))
				.forEach(this.read::add);
		}
		return this.left > 0 && !this.read.isEmpty();
	}

	@Override
	public MessageContent next() {
		if (!hasNext()) {
			throw new NoSuchElementException("No message is left to export");
		}
		this.left--;
		return this.read.remove();
	}

}
