/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.contract;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

import io.orderedoutbox.jdbc.Partitions;
import io.orderedoutbox.payload.LoadedPayload;
import io.orderedoutbox.payload.PayloadContext;
import io.orderedoutbox.payload.PayloadReference;
import io.orderedoutbox.payload.PayloadSource;
import io.orderedoutbox.payload.PayloadTransformer;
import io.orderedoutbox.publish.JsonPayloadSerializer;
import io.orderedoutbox.publish.Payload;
import io.orderedoutbox.publish.PayloadSerializer;
import io.orderedoutbox.store.Partitioner;
import io.orderedoutbox.testing.OrderPlaced;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Contract tests find implementations that do not keep the contract, and nothing else.
 */
@Tag("unit")
class BrokenContractTests {

	static List<Class<?>> unbroken() {
		return List.of(Transformer.class, Serializer.class, Source.class, PartitionerOfLibrary.class,
				BrokenStorages.Storage.class);
	}

	@ParameterizedTest
	@MethodSource("unbroken")
	void whatKeepsTheContractPasses(Class<?> contract) {
		assertThat(failed(contract)).isEmpty();
	}

	static List<Broken> broken() {
		return List.of(new Broken(UncheckedEnd.class, "whatIsCutOffIsRefused"),
				new Broken(Forgiving.class, "whatIsNoPayloadOfItsIsRefused"),
				new Broken(AnyKey.class, "anotherKeyDoesNotUndoIt"),
				new Broken(AnyMessage.class, "thePayloadOfAnotherMessageIsRefused"),
				new Broken(Overwriting.class, "itDoesNotTouchTheArraysThatItIsGiven"),
				new Broken(OnceOnly.class, "itCanDoItAgainAndAgain"),
				new Broken(Nameless.class, "itsNameAndWhoUndoesItStayTheSame"),
				new Broken(NoSmallPayloads.class, "aPayloadMayBeEmptyAndOfAnyBytes"),
				new Broken(ClassNames.class, "noClassNameLeavesTheApplication"),
				new Broken(OneBuffer.class, "itDoesNotTouchAnArrayAgainThatItHasHandedOver"),
				new Broken(Clocked.class, "anEventHasTheSamePayloadEachTime"),
				new Broken(Lossy.class, "aConsumerReadsTheEventThatWasPublished"),
				new Broken(WrongContentType.class, "itSaysWhatItHasWritten"),
				new Broken(AllOrNothing.class, "whatIsMissingIsLeftOutAndKeepsNothingElseBack"),
				new Broken(AnyName.class, "aReferenceWithAnotherNameIsAnotherReference"),
				new Broken(FirstHundred.class, "aBatchMayBeLarge"),
				new Broken(LoadsOnce.class, "loadingChangesNothing"),
				new Broken(Negative.class, "eachKeyHasAPartitionThatExists"),
				new Broken(ByInstance.class, "theSameKeyHasTheSamePartitionOnEachInstanceAndAtAnyTime"),
				new Broken(RoundRobin.class, "theSameKeyHasTheSamePartitionOnEachInstanceAndAtAnyTime"),
				new Broken(OnlyOne.class, "keysAreSpreadOverAllPartitions"));
	}

	@ParameterizedTest
	@MethodSource({ "broken", "io.orderedoutbox.contract.BrokenStorages#broken" })
	void whatBreaksTheContractIsFound(Broken broken) {
		assertThat(failed(broken.contract())).contains(broken.test());
	}

	private static Set<String> failed(Class<?> contract) {
		Set<String> failed = new TreeSet<>();
		List<String> run = new ArrayList<>();
		LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
			.selectors(DiscoverySelectors.selectClass(contract))
			.build();
		LauncherFactory.create().execute(request, new TestExecutionListener() {

			@Override
			public void executionFinished(TestIdentifier test, TestExecutionResult result) {
				if (test.isTest()) {
					run.add(test.getDisplayName());
				}
				if (result.getStatus() != TestExecutionResult.Status.SUCCESSFUL) {
					failed.add(test.getDisplayName().replace("()", ""));
				}
			}

		});
		assertThat(run).hasSizeGreaterThan(3);
		return failed;
	}

	record Broken(Class<?> contract, String test) {

	}

	static class Transformer extends PayloadTransformerContract {

		@Override
		protected PayloadTransformer transformer() {
			return new Adding();
		}

		@Override
		protected PayloadTransformer withAnotherKey() {
			return new Adding() {

				@Override
				String secret(PayloadContext context) {
					return "other";
				}

			};
		}

		@Override
		protected boolean isBoundToItsMessage() {
			return true;
		}

	}

	static class UncheckedEnd extends Transformer {

		@Override
		protected PayloadTransformer transformer() {
			return new Adding() {

				@Override
				void check(byte[] payload, int sum) {
				}

			};
		}

	}

	static class Forgiving extends Transformer {

		@Override
		protected PayloadTransformer transformer() {
			return new Adding() {

				@Override
				public byte[] decode(byte[] payload, PayloadContext context) {
					return (payload.length > 0 && payload[0] == '{') ? payload : super.decode(payload, context);
				}

			};
		}

	}

	static class AnyKey extends Transformer {

		@Override
		protected PayloadTransformer withAnotherKey() {
			return transformer();
		}

	}

	static class AnyMessage extends Transformer {

		@Override
		protected PayloadTransformer transformer() {
			return new Adding() {

				@Override
				String secret(PayloadContext context) {
					return "secret";
				}

			};
		}

	}

	static class Overwriting extends Transformer {

		@Override
		protected PayloadTransformer transformer() {
			return new Adding() {

				@Override
				public byte[] encode(byte[] payload, PayloadContext context) {
					byte[] encoded = super.encode(payload, context);
					Arrays.fill(payload, (byte) 0);
					return encoded;
				}

			};
		}

	}

	static class OnceOnly extends Transformer {

		@Override
		protected PayloadTransformer transformer() {
			Set<String> decoded = ConcurrentHashMap.newKeySet();
			return new Adding() {

				@Override
				public byte[] decode(byte[] payload, PayloadContext context) {
					if (!decoded.add(Arrays.toString(payload))) {
						throw new IllegalStateException("It was decoded before");
					}
					return super.decode(payload, context);
				}

			};
		}

	}

	static class Nameless extends Transformer {

		@Override
		protected PayloadTransformer transformer() {
			return new Adding() {

				@Override
				public String encoding() {
					return "Adding " + System.identityHashCode(this);
				}

			};
		}

	}

	static class NoSmallPayloads extends Transformer {

		@Override
		protected PayloadTransformer transformer() {
			return new Adding() {

				@Override
				public byte[] encode(byte[] payload, PayloadContext context) {
					return super.encode((payload.length > 0) ? payload : new byte[] { 0 }, context);
				}

			};
		}

	}

	static class Serializer extends PayloadSerializerContract {

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

		Payload json(Object event) {
			return new JsonPayloadSerializer(JsonMapper.shared()).serialize(event);
		}

	}

	static class ClassNames extends Serializer {

		@Override
		protected PayloadSerializer serializer() {
			return (event) -> new Payload(json(event).body(), "application/json;class=" + event.getClass().getName());
		}

	}

	static class OneBuffer extends Serializer {

		@Override
		protected PayloadSerializer serializer() {
			byte[] buffer = new byte[27];
			return (event) -> {
				byte[] body = json(event).body();
				System.arraycopy(body, 0, buffer, 0, Math.min(body.length, buffer.length));
				return new Payload(buffer, "application/json");
			};
		}

	}

	static class Clocked extends Serializer {

		@Override
		protected PayloadSerializer serializer() {
			return (event) -> new Payload(
					(new String(json(event).body(), StandardCharsets.UTF_8) + " ".repeat(random(1000)))
						.getBytes(StandardCharsets.UTF_8),
					"application/json");
		}

		private static int random(int bound) {
			return ThreadLocalRandom.current().nextInt(bound);
		}

	}

	static class Lossy extends Serializer {

		@Override
		protected PayloadSerializer serializer() {
			return (event) -> json(new OrderPlaced("a", 0));
		}

	}

	static class WrongContentType extends Serializer {

		@Override
		protected PayloadSerializer serializer() {
			return (event) -> new Payload(json(event).body(), "text/plain");
		}

	}

	static class Source extends PayloadSourceContract {

		final Map<PayloadReference, LoadedPayload> stored = new ConcurrentHashMap<>();

		@Override
		protected PayloadSource source() {
			return (references) -> {
				Map<PayloadReference, LoadedPayload> loaded = new HashMap<>(this.stored);
				loaded.keySet().retainAll(references);
				return loaded;
			};
		}

		@Override
		protected PayloadReference store(int number) {
			PayloadReference reference = new PayloadReference("order.placed", "id-" + number);
			this.stored.put(reference, payload(number));
			return reference;
		}

		@Override
		protected LoadedPayload payload(int number) {
			return new LoadedPayload(new byte[] { (byte) number }, "application/octet-stream");
		}

	}

	static class AllOrNothing extends Source {

		@Override
		protected PayloadSource source() {
			PayloadSource source = super.source();
			return (references) -> {
				Map<PayloadReference, LoadedPayload> loaded = source.load(references);
				if (loaded.size() < references.size()) {
					throw new IllegalStateException("Something is missing");
				}
				return loaded;
			};
		}

	}

	static class AnyName extends Source {

		@Override
		protected PayloadSource source() {
			return (references) -> {
				Map<PayloadReference, LoadedPayload> loaded = new HashMap<>();
				references.forEach((reference) -> this.stored.forEach((known, payload) -> {
					if (known.id().equals(reference.id())) {
						loaded.put(reference, payload);
					}
				}));
				return loaded;
			};
		}

	}

	static class FirstHundred extends Source {

		@Override
		protected PayloadSource source() {
			PayloadSource source = super.source();
			return (references) -> {
				if (references.size() > 1000) {
					throw new IllegalArgumentException("Too many");
				}
				return source.load(references);
			};
		}

	}

	static class LoadsOnce extends Source {

		@Override
		protected PayloadSource source() {
			return (references) -> removed(references);
		}

		private Map<PayloadReference, LoadedPayload> removed(Collection<PayloadReference> references) {
			Map<PayloadReference, LoadedPayload> loaded = new HashMap<>();
			for (PayloadReference reference : references) {
				LoadedPayload payload = this.stored.remove(reference);
				if (payload != null) {
					loaded.put(reference, payload);
				}
			}
			return loaded;
		}

	}

	static class PartitionerOfLibrary extends PartitionerContract {

		@Override
		protected Partitioner partitioner() {
			return Partitions::crc32;
		}

	}

	static class Negative extends PartitionerContract {

		@Override
		protected Partitioner partitioner() {
			return (key, partitions) -> key.hashCode() % partitions;
		}

	}

	static class ByInstance extends PartitionerContract {

		@Override
		protected Partitioner partitioner() {
			Object instance = new Object();
			return (key, partitions) -> Math.floorMod(key.hashCode() + instance.hashCode(), partitions);
		}

	}

	static class RoundRobin extends PartitionerContract {

		@Override
		protected Partitioner partitioner() {
			AtomicInteger next = new AtomicInteger();
			return (key, partitions) -> Math.floorMod(next.getAndIncrement(), partitions);
		}

	}

	static class OnlyOne extends PartitionerContract {

		@Override
		protected Partitioner partitioner() {
			return (key, partitions) -> 0;
		}

	}

	/**
	 * Adds a secret to each byte, and ends with a sum.
	 */
	static class Adding implements PayloadTransformer {

		@Override
		public String encoding() {
			return "adding";
		}

		String secret(PayloadContext context) {
			return "secret" + context;
		}

		@Override
		public byte[] encode(byte[] payload, PayloadContext context) {
			byte[] encoded = Arrays.copyOf(payload, payload.length + Integer.BYTES);
			int secret = secret(context).hashCode();
			for (int i = 0; i < payload.length; i++) {
				encoded[i] += (byte) secret;
			}
			int sum = Arrays.hashCode(payload) + secret;
			for (int i = 0; i < Integer.BYTES; i++) {
				encoded[payload.length + i] = (byte) (sum >> (Byte.SIZE * i));
			}
			return encoded;
		}

		@Override
		public byte[] decode(byte[] payload, PayloadContext context) {
			int length = Math.max(0, payload.length - Integer.BYTES);
			byte[] decoded = Arrays.copyOf(payload, length);
			int secret = secret(context).hashCode();
			for (int i = 0; i < length; i++) {
				decoded[i] -= (byte) secret;
			}
			check(payload, Arrays.hashCode(decoded) + secret);
			return decoded;
		}

		void check(byte[] payload, int sum) {
			if (payload.length < Integer.BYTES) {
				throw new IllegalArgumentException("It is too short");
			}
			for (int i = 0; i < Integer.BYTES; i++) {
				if (payload[payload.length - Integer.BYTES + i] != (byte) (sum >> (Byte.SIZE * i))) {
					throw new IllegalArgumentException("The sum is wrong");
				}
			}
		}

	}

}
