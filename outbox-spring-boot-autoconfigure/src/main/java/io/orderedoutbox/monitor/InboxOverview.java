package io.orderedoutbox.monitor;

/**
 * What the page shows of the consuming side, where the application has one. The page does
 * not know what that is, and hands it to its script.
 */
@FunctionalInterface
public interface InboxOverview {

	/**
	 * Return what is known now. Must not wait for broker or database.
	 * @return something that is written as a JSON object
	 */
	Object current();

}
