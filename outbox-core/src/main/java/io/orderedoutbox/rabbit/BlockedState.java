/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.rabbit;

import com.rabbitmq.client.BlockedCallback;
import com.rabbitmq.client.UnblockedCallback;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.rabbit.connection.Connection;
import org.springframework.amqp.rabbit.connection.ConnectionListener;

/**
 * Whether the broker has blocked the connection, as it does while it is short of memory
 * or disk. The broker reads nothing from a blocked connection: what the client writes to
 * it arrives when the alarm is over, perhaps hours later.
 */
final class BlockedState implements ConnectionListener {

	private volatile @Nullable String reason;

	@Override
	public void onCreate(@Nullable Connection connection) {
		this.reason = null;
		if (connection == null) {
			return;
		}
		BlockedCallback blocked = (reason) -> this.reason = reason;
		UnblockedCallback unblocked = () -> this.reason = null;
		connection.getDelegate().addBlockedListener(blocked, unblocked);
	}

	@Override
	public void onClose(Connection connection) {
		this.reason = null;
	}

	/**
	 * Why it is blocked, or null if it is not.
	 */
	@Nullable String reason() {
		return this.reason;
	}

}
