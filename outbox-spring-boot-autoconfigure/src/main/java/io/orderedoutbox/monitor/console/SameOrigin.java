/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor.console;

import java.net.URI;
import java.util.Locale;

import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.function.ServerRequest;

/**
 * Tells requests of our own page from those that another site makes a browser send.
 * <p>
 * A browser says where a request comes from, in {@code Sec-Fetch-Site} or, where it does
 * not say so, in {@code Origin}; and no site can make it send a header of our own to us
 * without asking first. A request from a program that is no browser carries the authority
 * of that program, and no other.
 */
final class SameOrigin {

	/** Has to be there in every request of the page. */
	static final String HEADER = "X-Outbox-Monitor";

	private SameOrigin() {
	}

	/**
	 * Whether it may be told something.
	 */
	static boolean mayAsk(ServerRequest request) {
		return request.headers().firstHeader(HEADER) != null && !isForeign(request);
	}

	/**
	 * Whether it may change something.
	 */
	static boolean mayAct(ServerRequest request) {
		MediaType type = request.headers().contentType().orElse(null);
		return mayAsk(request) && type != null && MediaType.APPLICATION_JSON.equalsTypeAndSubtype(type);
	}

	private static boolean isForeign(ServerRequest request) {
		String site = request.headers().firstHeader("Sec-Fetch-Site");
		if (site != null) {
			return !site.equals("same-origin") && !site.equals("none");
		}
		String origin = request.headers().firstHeader(HttpHeaders.ORIGIN);
		return origin != null && !isSame(origin, request.uri());
	}

	// The second URI is what a proxy says of itself, where the application trusts proxies
	private static boolean isSame(String origin, URI own) {
		try {
			return withoutDefaultPort(URI.create(origin)).equals(withoutDefaultPort(own));
		}
		catch (IllegalArgumentException ex) {
			return false;
		}
	}

	private static String withoutDefaultPort(URI uri) {
		String origin = (uri.getScheme() + "://" + uri.getRawAuthority()).toLowerCase(Locale.ROOT);
		return origin.replaceFirst("^(http://.*):80$|^(https://.*):443$", "$1$2");
	}

}
