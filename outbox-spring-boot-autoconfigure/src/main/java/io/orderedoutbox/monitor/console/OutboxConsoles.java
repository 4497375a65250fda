/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor.console;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;

import io.orderedoutbox.send.OutboxScope;
import org.jspecify.annotations.Nullable;

/**
 * What operators see and do of each outbox of an application.
 */
public final class OutboxConsoles {

	private static final String DEFAULT = "default";

	private final @Nullable OutboxConsole standard;

	private final Map<String, OutboxConsole> named;

	/**
	 * Create them.
	 * @param standard that of the outbox without a name, {@code null} if there is none
	 * @param named those of the others, by their names
	 */
	public OutboxConsoles(@Nullable OutboxConsole standard, Map<String, OutboxConsole> named) {
		this.standard = standard;
		this.named = Map.copyOf(named);
	}

	/**
	 * Ask the one that is called so. Without a name that is the one of the outbox that
	 * has none, or else the only one.
	 */
	Answer ask(@Nullable String outbox, Function<OutboxConsole, Answer> question) {
		if (outbox == null || (outbox.equals(DEFAULT) && this.standard != null)) {
			return askUnnamed(question);
		}
		OutboxConsole console = this.named.get(outbox);
		return (console != null) ? OutboxScope.call(outbox, () -> question.apply(console))
				: Answer.notFound("There is no outbox '%s', only %s".formatted(outbox, String.join(", ", names())));
	}

	private Answer askUnnamed(Function<OutboxConsole, Answer> question) {
		if (this.standard != null) {
			return question.apply(this.standard);
		}
		return (this.named.size() == 1) ? ask(names().get(0), question)
				: Answer.problem(400, "Say which outbox: outbox=" + String.join(" or outbox=", names()));
	}

	/**
	 * Do something with each of them, on threads that are called like its outbox.
	 */
	void forEach(Consumer<OutboxConsole> work) {
		if (this.standard != null) {
			work.accept(this.standard);
		}
		this.named.forEach((outbox, console) -> OutboxScope.run(outbox, () -> work.accept(console)));
	}

	/**
	 * Their names, that of the outbox without a name first.
	 */
	List<String> names() {
		List<String> names = new ArrayList<>(new TreeSet<>(this.named.keySet()));
		if (this.standard != null) {
			names.add(0, DEFAULT);
		}
		return names;
	}

}
