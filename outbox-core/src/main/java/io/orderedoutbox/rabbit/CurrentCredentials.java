/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.rabbit;

import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.impl.CredentialsProvider;
import com.rabbitmq.client.impl.DefaultCredentialsProvider;

/**
 * The credentials that a client of RabbitMQ has at the moment. An application whose
 * secrets are rotated gives its client another user or password at run time, which a copy
 * of the client would not know.
 */
public final class CurrentCredentials implements CredentialsProvider {

	private final ConnectionFactory client;

	private CurrentCredentials(ConnectionFactory client) {
		this.client = client;
	}

	/**
	 * Copy a client. The copy asks for credentials each time it connects: the original,
	 * or the provider of the application's own if the original has one.
	 * @param client the client
	 * @return the copy, with the same settings
	 */
	public static ConnectionFactory copyOf(ConnectionFactory client) {
		ConnectionFactory copy = client.clone();
		// A provider of the application's own may be known to a service that refreshes
		// its credentials: it stays what it is
		if (client.params(null).getCredentialsProvider() instanceof DefaultCredentialsProvider) {
			copy.setCredentialsProvider(new CurrentCredentials(client));
		}
		return copy;
	}

	@Override
	public String getUsername() {
		return this.client.getUsername();
	}

	@Override
	public String getPassword() {
		return this.client.getPassword();
	}

}
