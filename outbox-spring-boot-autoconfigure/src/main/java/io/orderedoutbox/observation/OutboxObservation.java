/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.observation;

import io.micrometer.common.docs.KeyName;
import io.micrometer.observation.Observation.Context;
import io.micrometer.observation.ObservationConvention;
import io.micrometer.observation.docs.ObservationDocumentation;

/**
 * The observations of the outbox.
 */
public enum OutboxObservation implements ObservationDocumentation {

	/**
	 * An event is published: it becomes a message and joins its transaction.
	 */
	PUBLISH {

		@Override
		public Class<? extends ObservationConvention<? extends Context>> getDefaultConvention() {
			return DefaultPublishObservationConvention.class;
		}

		@Override
		public KeyName[] getLowCardinalityKeyNames() {
			return new KeyName[] { LowCardinality.NAME };
		}

		@Override
		public KeyName[] getHighCardinalityKeyNames() {
			return new KeyName[] { HighCardinality.MESSAGE_ID };
		}

	},

	/**
	 * A message is relayed: from the moment it is sent to the answer of the broker.
	 */
	RELAY {

		@Override
		public Class<? extends ObservationConvention<? extends Context>> getDefaultConvention() {
			return DefaultRelayObservationConvention.class;
		}

		@Override
		public KeyName[] getLowCardinalityKeyNames() {
			return new KeyName[] { LowCardinality.NAME, LowCardinality.EXCHANGE, LowCardinality.OUTCOME };
		}

		@Override
		public KeyName[] getHighCardinalityKeyNames() {
			return HighCardinality.values();
		}

	};

	/**
	 * Keys with few values, which are tags of the timers as well.
	 */
	public enum LowCardinality implements KeyName {

		/**
		 * Name of the message.
		 */
		NAME("outbox.message.name"),

		/**
		 * Exchange that the message goes to.
		 */
		EXCHANGE("messaging.destination.name"),

		/**
		 * What became of the message: {@code published}, {@code failed}, or
		 * {@code unknown} if the broker was lost before it answered.
		 */
		OUTCOME("outcome"),

		/**
		 * Name of the outbox, where an application has several.
		 */
		OUTBOX("outbox");

		private final String key;

		LowCardinality(String key) {
			this.key = key;
		}

		@Override
		public String asString() {
			return this.key;
		}

	}

	/**
	 * Keys with any number of values, on spans only.
	 */
	public enum HighCardinality implements KeyName {

		/**
		 * Id of the message.
		 */
		MESSAGE_ID("messaging.message.id"),

		/**
		 * Routing key of the message.
		 */
		ROUTING_KEY("messaging.rabbitmq.destination.routing_key");

		private final String key;

		HighCardinality(String key) {
			this.key = key;
		}

		@Override
		public String asString() {
			return this.key;
		}

	}

}
