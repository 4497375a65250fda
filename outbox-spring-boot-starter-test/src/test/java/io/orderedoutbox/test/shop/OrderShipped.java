package io.orderedoutbox.test.shop;

import io.orderedoutbox.OutboxMessage;
import io.orderedoutbox.PartitionKey;

@OutboxMessage("order.shipped")
public record OrderShipped(@PartitionKey long orderId) implements OrderEvent {

}
