/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.fault;

import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * A fault whose course is a method.
 *
 * @param kind what goes wrong
 * @param course what happens
 * @param breaks which parts of the world are not whole meanwhile
 * @param frozenRelays how many relays it freezes
 */
record Mishap(String kind, Course course, Set<Part> breaks, int frozenRelays) implements Fault {

	static Mishap of(String kind, Course course, Part first, Part... others) {
		Set<Part> breaks = EnumSet.of(first, others);
		return new Mishap(kind, course, breaks, 0);
	}

	Mishap freezing(int relays) {
		return new Mishap(this.kind, this.course, this.breaks, relays);
	}

	@Override
	public void happen(World world, Random random) throws Exception {
		this.course.run(world, random);
	}

	static <T> T any(List<T> list, Random random) {
		return list.get(random.nextInt(list.size()));
	}

	/**
	 * Breaks something, holds that for a while, and heals it.
	 */
	@FunctionalInterface
	interface Course {

		void run(World world, Random random) throws Exception;

	}

}
