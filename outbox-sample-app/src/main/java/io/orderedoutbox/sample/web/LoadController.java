/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.sample.web;

import io.orderedoutbox.sample.load.LoadGenerator;
import io.orderedoutbox.sample.load.LoadRequest;
import io.orderedoutbox.sample.load.LoadStatus;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * Load over HTTP.
 */
@RestController
@RequestMapping("/api/load")
class LoadController {

	private final LoadGenerator load;

	LoadController(LoadGenerator load) {
		this.load = load;
	}

	@PostMapping
	@ResponseStatus(HttpStatus.ACCEPTED)
	LoadStatus start(@RequestBody(required = false) @Nullable LoadRequest request) {
		return this.load.start((request != null) ? request : LoadRequest.standard());
	}

}
