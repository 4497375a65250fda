/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish;

import io.orderedoutbox.contract.PayloadSerializerContract;
import io.orderedoutbox.testing.OrderPlaced;
import org.junit.jupiter.api.Tag;
import tools.jackson.databind.json.JsonMapper;

/**
 * The serializer that is there without further ado keeps the contract.
 */
@Tag("unit")
class JsonPayloadSerializerContractTests extends PayloadSerializerContract {

	@Override
	protected PayloadSerializer serializer() {
		return new JsonPayloadSerializer(JsonMapper.shared());
	}

	@Override
	protected Object event(int number) {
		return new OrderPlaced("a", number);
	}

	@Override
	protected Object read(Payload payload) {
		return JsonMapper.shared().readValue(payload.body(), OrderPlaced.class);
	}

	@Override
	protected String contentType() {
		return "application/json";
	}

	@Override
	protected Object unserializable() {
		return new Hidden(1);
	}

	static final class Hidden {

		@SuppressWarnings("unused") // Jackson does not see it, and that is what is tried
		private final int version;

		Hidden(int version) {
			this.version = version;
		}

	}

}
