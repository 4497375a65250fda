/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.payload;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;

import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

import org.springframework.security.crypto.encrypt.AesGcmBytesEncryptor;
import org.springframework.security.crypto.encrypt.BytesEncryptor;

/**
 * Encrypts payloads with AES-GCM: the example of docs/payloads.md.
 * <p>
 * What is stored: the length of the key id in one byte, the key id in UTF-8, then what
 * Spring Security's encryptor makes (16 bytes of initialisation vector, the ciphertext,
 * 16 bytes of authentication tag). What is encrypted: the length of the context in four
 * bytes, the context, then the payload. The context is the id and the name of the
 * message. It is authenticated together with the payload, so that a row with the payload
 * of another row is refused.
 * <p>
 * To change the key, add the new one everywhere, then make it the current one; remove the
 * old one when nothing that it has encrypted can be sent or received any more.
 */
public final class AesGcmTransformer implements PayloadTransformer {

	private final Map<String, byte[]> keys;

	private final String current;

	private final UndoneBy undoneBy;

	/**
	 * Create a transformer.
	 * @param keys keys of 16 or 32 bytes by their ids
	 * @param current the id of the key with which payloads are encrypted
	 * @param undoneBy who decrypts: the relay if the database is not to be trusted, the
	 * consumer if the broker is not, either
	 */
	public AesGcmTransformer(Map<String, byte[]> keys, String current, UndoneBy undoneBy) {
		if (!keys.containsKey(current)) {
			throw new IllegalArgumentException("There is no key '%s' to encrypt with".formatted(current));
		}
		this.keys = Map.copyOf(keys);
		this.current = current;
		this.undoneBy = undoneBy;
	}

	@Override
	public String encoding() {
		return "aes-gcm";
	}

	@Override
	public UndoneBy undoneBy() {
		return this.undoneBy;
	}

	@Override
	public byte[] encode(byte[] payload, PayloadContext context) {
		byte[] bound = bytes(context);
		byte[] plain = ByteBuffer.allocate(Integer.BYTES + bound.length + payload.length)
			.putInt(bound.length)
			.put(bound)
			.put(payload)
			.array();
		byte[] encrypted = encryptor(this.current).encrypt(plain);
		byte[] id = this.current.getBytes(StandardCharsets.UTF_8);
		return ByteBuffer.allocate(1 + id.length + encrypted.length)
			.put((byte) id.length)
			.put(id)
			.put(encrypted)
			.array();
	}

	@Override
	public byte[] decode(byte[] payload, PayloadContext context) {
		ByteBuffer stored = ByteBuffer.wrap(payload);
		String id = new String(next(stored, stored.get()), StandardCharsets.UTF_8);
		ByteBuffer plain = ByteBuffer.wrap(encryptor(id).decrypt(next(stored, stored.remaining())));
		byte[] bound = next(plain, plain.getInt());
		if (!ByteBuffer.wrap(bound).equals(ByteBuffer.wrap(bytes(context)))) {
			throw new IllegalArgumentException("the payload belongs to another message");
		}
		return next(plain, plain.remaining());
	}

	private static byte[] next(ByteBuffer buffer, int length) {
		byte[] bytes = new byte[length];
		buffer.get(bytes);
		return bytes;
	}

	private static byte[] bytes(PayloadContext context) {
		return (context.messageId() + " " + context.name()).getBytes(StandardCharsets.UTF_8);
	}

	// It keeps a cipher that one thread at a time can use
	private BytesEncryptor encryptor(String id) {
		byte[] key = this.keys.get(id);
		if (key == null) {
			throw new IllegalArgumentException("there is no key '%s': add it".formatted(id));
		}
		SecretKey secret = new SecretKeySpec(key, "AES");
		return AesGcmBytesEncryptor.withSecretKey(secret).build();
	}

}
