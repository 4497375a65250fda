/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.sample.web;

import io.orderedoutbox.sample.billing.Billing;
import io.orderedoutbox.sample.billing.BillingState;
import io.orderedoutbox.sample.billing.Failing;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Billing over HTTP.
 */
@RestController
@RequestMapping("/api/billing")
class BillingController {

	private final ObjectProvider<Billing> billing;

	BillingController(ObjectProvider<Billing> billing) {
		this.billing = billing;
	}

	@GetMapping
	View state() {
		Billing there = this.billing.getIfAvailable();
		return new View((there != null) ? there.state() : null);
	}

	@PostMapping("/failure")
	View startToFail(@RequestBody Failing failing) {
		required().startToFail(failing);
		return state();
	}

	@DeleteMapping("/failure")
	View stopToFail() {
		required().stopToFail();
		return state();
	}

	@PostMapping("/duplicates")
	Duplicates publishAgain() {
		return new Duplicates(required().publishAgain());
	}

	private Billing required() {
		Billing there = this.billing.getIfAvailable();
		if (there == null) {
			throw new NoBillingException();
		}
		return there;
	}

	record View(@Nullable BillingState billing) {
	}

	record Duplicates(int published) {
	}

}
