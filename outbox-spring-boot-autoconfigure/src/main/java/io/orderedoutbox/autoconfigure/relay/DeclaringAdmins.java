/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.relay;

import java.util.function.Supplier;
import java.util.stream.Stream;

import org.springframework.amqp.core.AmqpAdmin;
import org.springframework.amqp.rabbit.core.RabbitAdmin;
import org.springframework.beans.factory.ObjectProvider;

/**
 * Those that declare what a relay needs on its broker. They are asked for when it
 * connects: an admin may be made late. Until then nobody knows that it is a
 * {@link RabbitAdmin}, since Boot and applications declare a bean of its interface.
 *
 * @param admins finds them
 */
public record DeclaringAdmins(Supplier<? extends Stream<? extends AmqpAdmin>> admins) {

	static DeclaringAdmins of(ObjectProvider<AmqpAdmin> admins) {
		return new DeclaringAdmins(admins::orderedStream);
	}

	Stream<RabbitAdmin> stream() {
		return this.admins.get().filter(RabbitAdmin.class::isInstance).map(RabbitAdmin.class::cast);
	}

}
