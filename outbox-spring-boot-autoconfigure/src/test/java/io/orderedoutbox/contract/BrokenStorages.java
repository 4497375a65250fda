/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.contract;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.orderedoutbox.contract.BrokenContractTests.Broken;
import io.orderedoutbox.payload.PayloadStorage;
import org.jspecify.annotations.Nullable;

/**
 * Storages that do not keep the contract, each in one way, and one that does.
 */
final class BrokenStorages {

	private BrokenStorages() {
	}

	static List<Broken> broken() {
		return List.of(new Broken(ThrowsIfMissing.class, "whatWasNeverPutIsNullAndNoException"),
				new Broken(ThrowsIfMissing.class, "whatWasRemovedIsNullAndNoException"),
				new Broken(RemovesNothing.class, "whatWasRemovedIsNullAndNoException"),
				new Broken(RemovesOnce.class, "whatIsNotThereCanBeRemoved"),
				new Broken(ReadsOnce.class, "whatWasPutCanBeReadAgainAndAgain"),
				new Broken(OneOfEach.class, "equalPayloadsAreRemovedOneByOne"),
				new Broken(AnyEnd.class, "theBeginningOfAKeyIsAnotherKey"),
				new Broken(NothingIsNull.class, "aPayloadMayBeEmptyAndOfAnyBytes"),
				new Broken(CutsOff.class, "aPayloadMayBeLarge"),
				new Broken(Clearing.class, "itDoesNotTouchThePayloadThatItIsGiven"),
				new Broken(PerThread.class, "severalThreadsUseItAtTheSameTime"));
	}

	static class Storage extends PayloadStorageContract {

		final Map<String, byte[]> payloads = new ConcurrentHashMap<>();

		@Override
		protected PayloadStorage storage() {
			return new Memory(this.payloads);
		}

	}

	static class ThrowsIfMissing extends Storage {

		@Override
		protected PayloadStorage storage() {
			return new Memory(this.payloads) {

				@Override
				public byte[] get(String key) {
					byte[] payload = super.get(key);
					if (payload == null) {
						throw new IllegalStateException("No such key: " + key);
					}
					return payload;
				}

			};
		}

	}

	static class RemovesNothing extends Storage {

		@Override
		protected PayloadStorage storage() {
			return new Memory(this.payloads) {

				@Override
				public void delete(String key) {
				}

			};
		}

	}

	static class RemovesOnce extends Storage {

		@Override
		protected PayloadStorage storage() {
			return new Memory(this.payloads) {

				@Override
				public void delete(String key) {
					if (super.get(key) == null) {
						throw new IllegalStateException("No such key: " + key);
					}
					super.delete(key);
				}

			};
		}

	}

	static class ReadsOnce extends Storage {

		@Override
		protected PayloadStorage storage() {
			return new Memory(this.payloads) {

				@Override
				public byte @Nullable [] get(String key) {
					byte[] payload = super.get(key);
					delete(key);
					return payload;
				}

			};
		}

	}

	static class OneOfEach extends Storage {

		private final Map<String, String> digests = new ConcurrentHashMap<>();

		@Override
		protected PayloadStorage storage() {
			return new Memory(this.payloads) {

				@Override
				public void put(String key, byte[] payload) {
					OneOfEach.this.digests.put(key, String.valueOf(Arrays.hashCode(payload)));
					super.put(key, payload);
				}

				@Override
				String place(String key) {
					return OneOfEach.this.digests.getOrDefault(key, "none");
				}

			};
		}

	}

	static class AnyEnd extends Storage {

		@Override
		protected PayloadStorage storage() {
			return new Memory(this.payloads) {

				@Override
				public byte @Nullable [] get(String key) {
					return AnyEnd.this.payloads.entrySet()
						.stream()
						.filter((stored) -> stored.getKey().startsWith(key))
						.map(Map.Entry::getValue)
						.findFirst()
						.orElse(null);
				}

			};
		}

	}

	static class NothingIsNull extends Storage {

		@Override
		protected PayloadStorage storage() {
			return new Memory(this.payloads) {

				@Override
				public byte @Nullable [] get(String key) {
					byte[] payload = super.get(key);
					return (payload != null && payload.length > 0) ? payload : null;
				}

			};
		}

	}

	static class CutsOff extends Storage {

		@Override
		protected PayloadStorage storage() {
			return new Memory(this.payloads) {

				@Override
				public void put(String key, byte[] payload) {
					super.put(key, Arrays.copyOf(payload, Math.min(payload.length, 65_535)));
				}

			};
		}

	}

	static class Clearing extends Storage {

		@Override
		protected PayloadStorage storage() {
			return new Memory(this.payloads) {

				@Override
				public void put(String key, byte[] payload) {
					super.put(key, payload);
					Arrays.fill(payload, (byte) 0);
				}

			};
		}

	}

	static class PerThread extends Storage {

		@Override
		protected PayloadStorage storage() {
			return new Memory(this.payloads) {

				@Override
				String place(String key) {
					return key + " of " + Thread.currentThread().getId();
				}

			};
		}

	}

	/**
	 * Keeps payloads in memory.
	 */
	private static class Memory implements PayloadStorage {

		private final Map<String, byte[]> payloads;

		Memory(Map<String, byte[]> payloads) {
			this.payloads = payloads;
		}

		/**
		 * Where the payload of a key is kept.
		 */
		String place(String key) {
			return key;
		}

		@Override
		public void put(String key, byte[] payload) {
			this.payloads.put(place(key), payload.clone());
		}

		@Override
		public byte @Nullable [] get(String key) {
			byte[] payload = this.payloads.get(place(key));
			return (payload != null) ? payload.clone() : null;
		}

		@Override
		public void delete(String key) {
			this.payloads.remove(place(key));
		}

	}

}
