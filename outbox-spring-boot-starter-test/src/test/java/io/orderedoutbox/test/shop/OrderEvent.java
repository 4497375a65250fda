package io.orderedoutbox.test.shop;

/**
 * What has happened to an order.
 */
public interface OrderEvent {

	long orderId();

}
