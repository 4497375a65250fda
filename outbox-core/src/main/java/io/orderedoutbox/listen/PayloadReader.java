/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.listen;

import java.lang.reflect.Type;

/**
 * Makes what a listener takes of the payload of a message.
 */
@FunctionalInterface
public interface PayloadReader {

	/**
	 * Read a payload. What it throws fails the message.
	 * @param payload the payload
	 * @param type what the listener takes
	 * @return an object of that type
	 */
	Object read(byte[] payload, Type type);

}
