/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.payload;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import org.springframework.core.Ordered;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.Assert;
import org.springframework.util.unit.DataSize;

/**
 * {@link PayloadTransformer} that puts large payloads into a {@link PayloadStorage}, and
 * lets the message carry a claim check instead: the key under which the payload is
 * stored, its size, and its SHA-256, as text with a space between them.
 * <ol>
 * <li>When the event is published, the payload is stored under a new key. The storage
 * takes no part in the transaction.</li>
 * <li>The transaction rolls back before its commit has begun: the payload is removed. A
 * process that ends before, a rollback to a savepoint, and a commit that fails, whose
 * outcome may not be known, leave it behind. A payload without a message harms nothing
 * but the space that it takes; a message without a payload is lost. So in doubt it
 * stays.</li>
 * <li>Who undoes it loads the payload and compares its SHA-256. Nothing is removed
 * then.</li>
 * </ol>
 * A key is never used twice: a second attempt to publish the same message id must not
 * remove what the first has stored.
 */
public final class ClaimCheckTransformer implements PayloadTransformer {

	private static final Pattern CHECK = Pattern.compile("([A-Za-z0-9-]+) ([0-9]{1,10}) ([0-9a-f]{64})");

	private final PayloadStorage storage;

	private final long minSize;

	private final UndoneBy undoneBy;

	/**
	 * Create a transformer.
	 * @param storage where payloads are stored
	 * @param minSize the size below which a payload stays in its message
	 * @param undoneBy who loads the payload: the consumer if it is too large for the
	 * broker, the relay if only the database is to be kept small
	 */
	public ClaimCheckTransformer(PayloadStorage storage, DataSize minSize, UndoneBy undoneBy) {
		this.storage = storage;
		this.minSize = minSize.toBytes();
		this.undoneBy = undoneBy;
	}

	@Override
	public String encoding() {
		return "claim-check";
	}

	@Override
	public UndoneBy undoneBy() {
		return this.undoneBy;
	}

	@Override
	public byte @Nullable [] encode(byte[] payload, PayloadContext context) {
		if (payload.length < this.minSize) {
			return null;
		}
		String key = UUID.randomUUID().toString();
		// Before it is stored: storing it may fail half-way
		removeAfterRollback(key);
		put(key, payload);
		return "%s %d %s".formatted(key, payload.length, digest(payload)).getBytes(StandardCharsets.UTF_8);
	}

	private void removeAfterRollback(String key) {
		if (TransactionSynchronizationManager.isSynchronizationActive() && !CommitPhase.hasBegunHere()) {
			TransactionSynchronizationManager.registerSynchronization(new RemovalAfterRollback(key));
		}
	}

	@Override
	public byte[] decode(byte[] payload, PayloadContext context) {
		Matcher check = CHECK.matcher(new String(payload, StandardCharsets.UTF_8));
		Assert.isTrue(check.matches(), "the payload is no claim check");
		String key = check.group(1);
		byte[] stored = get(key);
		Assert.isTrue(stored != null, () -> "the storage has no payload '%s' any more".formatted(key));
		Assert.isTrue(stored.length == Long.parseLong(check.group(2)) && digest(stored).equals(check.group(3)),
				() -> "what the storage has as '%s' is not what was stored".formatted(key));
		return stored;
	}

	private void put(String key, byte[] payload) {
		try {
			this.storage.put(key, payload);
		}
		catch (PayloadUnavailableException ex) {
			throw ex;
		}
		// Storages throw what they like
		catch (RuntimeException ex) {
			throw new PayloadUnavailableException("the storage could not take '%s': %s".formatted(key, ex), ex);
		}
	}

	private byte @Nullable [] get(String key) {
		try {
			return this.storage.get(key);
		}
		catch (PayloadUnavailableException ex) {
			throw ex;
		}
		// Storages throw what they like
		catch (RuntimeException ex) {
			throw new PayloadUnavailableException("the storage could not give '%s': %s".formatted(key, ex), ex);
		}
	}

	private static String digest(byte[] payload) {
		try {
			return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(payload));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Each Java platform has SHA-256", ex);
		}
	}

	// Spring also calls a transaction rolled back whose commit has failed, where JPA
	// does not know whether the server has done it
	private final class RemovalAfterRollback implements TransactionSynchronization {

		private final String key;

		private boolean commitHasBegun;

		RemovalAfterRollback(String key) {
			this.key = key;
		}

		@Override
		public void beforeCommit(boolean readOnly) {
			this.commitHasBegun = true;
		}

		@Override
		public void afterCompletion(int status) {
			if (status == STATUS_ROLLED_BACK && !this.commitHasBegun) {
				ClaimCheckTransformer.this.storage.delete(this.key);
			}
		}

		// After all whose failure rolls back before anything is committed
		@Override
		public int getOrder() {
			return Ordered.LOWEST_PRECEDENCE;
		}

	}

}
