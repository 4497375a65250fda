/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;
import org.skyscreamer.jsonassert.JSONCompareMode;

import org.springframework.core.io.Resource;
import org.springframework.test.json.JsonAssert;
import org.springframework.test.json.JsonComparison;
import org.springframework.test.json.JsonContent;
import org.springframework.test.json.JsonContentAssert;

/**
 * What a test expects of the body of a message.
 *
 * @param json the JSON
 * @param mode how the body is compared with it
 * @param description what errors call it
 */
record ExpectedJson(String json, JSONCompareMode mode, String description) {

	/**
	 * Create an expectation.
	 * @throws IllegalStateException if what is expected is no JSON
	 */
	ExpectedJson {
		JsonAssert.comparator(mode).compare(json, json);
	}

	/**
	 * The body may have more properties than this.
	 */
	static ExpectedJson part(String json) {
		return new ExpectedJson(json, JSONCompareMode.STRICT_ORDER, "with a body that has " + json.strip());
	}

	/**
	 * The body has nothing more than this.
	 */
	static ExpectedJson whole(String json) {
		return new ExpectedJson(json, JSONCompareMode.STRICT, "with exactly the body " + json.strip());
	}

	static String read(Resource resource) {
		try {
			return resource.getContentAsString(StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The expected JSON cannot be read from " + resource, ex);
		}
	}

	static JsonContentAssert assertThat(PublishedMessage message) {
		return new JsonContent(message.text()).assertThat();
	}

	/**
	 * How the body of a message differs, {@code null} if it does not.
	 */
	@Nullable String difference(PublishedMessage message) {
		try {
			JsonComparison comparison = compare(message.text());
			return (comparison.getResult() == JsonComparison.Result.MATCH) ? null : comparison.getMessage();
		}
		catch (IllegalStateException ex) {
			return "the body is no JSON: " + ex.getMessage();
		}
	}

	private JsonComparison compare(String body) {
		return JsonAssert.comparator(this.mode).compare(this.json, body);
	}

}
