package io.orderedoutbox.relay;

/**
 * Why a message was not sent, for a reason of its own.
 */
public enum FailureReason {

	/**
	 * The broker returned it: nothing is bound to where it goes.
	 */
	RETURNED,

	/**
	 * The broker said no.
	 */
	NACKED,

	/**
	 * The broker closed the channel because of it.
	 */
	CHANNEL_CLOSED,

	/**
	 * The broker was silent about it while it answered for others.
	 */
	UNCONFIRMED,

	/**
	 * It could not be given to the broker at all.
	 */
	UNSENDABLE,

	/**
	 * The sender says so, and does not say more.
	 */
	REFUSED,

	/**
	 * It was published, but the store refused to remove it.
	 */
	NOT_REMOVED,

	/**
	 * It was not even tried, because its destination is paused.
	 */
	PAUSED

}
