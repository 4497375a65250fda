package io.orderedoutbox.autoconfigure;

import org.springframework.context.support.DefaultLifecycleProcessor;

/**
 * Starts nothing when its context is refreshed: that happens while the application still
 * makes its beans.
 */
final class DeferredStart extends DefaultLifecycleProcessor {

	@Override
	public void onRefresh() {
	}

	/**
	 * Start what would have been started.
	 */
	void startNow() {
		super.onRefresh();
	}

}
