package io.orderedoutbox.test.shop;

import io.orderedoutbox.OutboxMessage;

/**
 * An event that ordered mode refuses.
 */
@OutboxMessage("keyless")
public record Keyless(String text) {

}
