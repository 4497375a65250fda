package io.orderedoutbox.test.modules.order;

import io.orderedoutbox.PartitionKey;

public record OrderCompleted(@PartitionKey String orderId) {

}
