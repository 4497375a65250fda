/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.sample.web;

import io.orderedoutbox.sample.load.LoadGenerator;
import io.orderedoutbox.sample.load.LoadStatus;
import io.orderedoutbox.sample.timeline.Overview;
import io.orderedoutbox.sample.timeline.OverviewReader;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * What the tiles of the page show; cheap enough to be asked for several times a second.
 */
@RestController
class OverviewController {

	private final OverviewReader overview;

	private final LoadGenerator load;

	OverviewController(OverviewReader overview, LoadGenerator load) {
		this.overview = overview;
		this.load = load;
	}

	@GetMapping("/api/overview")
	State overview() {
		// The load first: once it is seen to have ended, all it committed is in the
		// numbers
		LoadStatus status = this.load.status();
		return new State(this.overview.read(), status);
	}

	record State(Overview totals, LoadStatus load) {
	}

}
