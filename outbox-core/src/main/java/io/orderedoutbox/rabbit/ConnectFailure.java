/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.rabbit;

import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AuthenticationFailureException;
import com.rabbitmq.client.PossibleAuthenticationFailureException;
import com.rabbitmq.client.ShutdownSignalException;
import io.orderedoutbox.send.TransportException;
import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;

/**
 * Says why there is no channel to the broker, by the innermost cause that says anything:
 * whether the network is to blame, or the broker answers and refuses.
 */
final class ConnectFailure {

	private ConnectFailure() {
	}

	/**
	 * The failure as the relay reports it.
	 * @param failure what Spring says
	 * @param broker which broker it is
	 */
	static TransportException of(Throwable failure, BrokerName broker) {
		List<Throwable> causes = Stream.iterate(failure, Objects::nonNull, Throwable::getCause).limit(20).toList();
		String refusal = causes.stream().map(ConnectFailure::refusal).filter(Objects::nonNull).findFirst().orElse(null);
		if (refusal != null) {
			return new TransportException(
					"RabbitMQ at %s refuses the connection: %s. Check spring.rabbitmq.username, password and virtual-host, and what the broker allows this user"
						.formatted(broker, StringUtils.trimTrailingCharacter(refusal, '.')),
					failure);
		}
		String template = causes.stream().anyMatch(ConnectFailure::isOfNetwork) ? "RabbitMQ cannot be reached at %s: %s"
				: "There is no connection to RabbitMQ at %s: %s";
		return new TransportException(template.formatted(broker, text(causes)), failure);
	}

	// What the broker itself has answered to this user. With other codes it ends a
	// connection for reasons of its own
	private static @Nullable String refusal(Throwable cause) {
		if (cause instanceof AuthenticationFailureException
				|| cause instanceof PossibleAuthenticationFailureException) {
			return cause.getMessage();
		}
		return (cause instanceof ShutdownSignalException signal && !signal.isInitiatedByApplication()
				&& signal.getReason() instanceof AMQP.Connection.Close close
				&& (close.getReplyCode() == AMQP.ACCESS_REFUSED || close.getReplyCode() == AMQP.NOT_ALLOWED))
						? close.getReplyCode() + " " + close.getReplyText() : null;
	}

	private static boolean isOfNetwork(Throwable cause) {
		return cause instanceof ConnectException || cause instanceof NoRouteToHostException
				|| cause instanceof UnknownHostException || cause instanceof SocketTimeoutException
				|| cause instanceof TimeoutException;
	}

	private static String text(List<Throwable> causes) {
		Throwable telling = causes.stream()
			.filter((cause) -> cause.getMessage() != null)
			.reduce((outer, inner) -> inner)
			.orElse(causes.get(0));
		Throwable innermost = causes.get(causes.size() - 1);
		String message = telling.getClass().getSimpleName() + ": " + telling.getMessage();
		return (telling == innermost) ? message : message + " (" + innermost.getClass().getSimpleName() + ")";
	}

}
