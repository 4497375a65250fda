package io.orderedoutbox.autoconfigure;

/**
 * Matches unless something else has an endpoint with the id {@code inbox}.
 */
final class InboxEndpointIdIsFreeCondition extends EndpointIdIsFreeCondition {

	InboxEndpointIdIsFreeCondition() {
		super("inbox");
	}

}
