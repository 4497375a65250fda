package io.orderedoutbox.test.shop;

import java.util.UUID;

import io.orderedoutbox.publish.MessageIdGenerator;

import org.springframework.stereotype.Component;

/**
 * A component that decides something about messages.
 */
@Component
public class ShopIds implements MessageIdGenerator {

	@Override
	public UUID next() {
		return UUID.randomUUID();
	}

}
