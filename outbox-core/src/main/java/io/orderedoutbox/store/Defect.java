/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.store;

/**
 * What keeps a message in the outbox from being sent as it is.
 *
 * @param reason what an operator reads as the last error of the message
 * @param passing {@code true} if the message is not to blame: it waits, and spends no
 * attempt; {@code false} if it fails like one that the broker has refused
 */
public record Defect(String reason, boolean passing) {

	/**
	 * The message fails, and spends an attempt.
	 * @param reason what an operator reads as the last error of the message
	 * @return a defect of the message itself
	 */
	public static Defect lasting(String reason) {
		return new Defect(reason, false);
	}

	/**
	 * The payload cannot be had: the message waits, and spends no attempt.
	 * @param cause why, in words
	 * @return a defect of what the message needs
	 */
	public static Defect payloadUnavailable(String cause) {
		return new Defect("its payload cannot be had for now: " + cause, true);
	}

}
