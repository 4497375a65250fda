/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.rabbit;

import java.io.IOException;
import java.util.List;

import com.rabbitmq.client.Address;
import com.rabbitmq.client.AddressResolver;

/**
 * Remembers the addresses that another resolver has found, so that an error can name
 * them.
 */
final class ResolvedAddresses implements AddressResolver {

	private final AddressResolver resolver;

	private volatile List<Address> last = List.of();

	ResolvedAddresses(AddressResolver resolver) {
		this.resolver = resolver;
	}

	@Override
	public List<Address> getAddresses() throws IOException {
		List<Address> found = this.resolver.getAddresses();
		this.last = List.copyOf(found);
		return found;
	}

	@Override
	public List<Address> maybeShuffle(List<Address> addresses) {
		return this.resolver.maybeShuffle(addresses);
	}

	List<Address> last() {
		return this.last;
	}

	@Override
	public String toString() {
		return this.resolver.toString();
	}

}
