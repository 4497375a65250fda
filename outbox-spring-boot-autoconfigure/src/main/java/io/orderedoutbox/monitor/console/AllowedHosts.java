/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor.console;

import java.util.Collection;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.web.servlet.function.ServerRequest;

/**
 * The names under which the page may be asked for. An attacker who owns a name can let it
 * point to this application, and a browser then takes his page for ours. He owns no
 * address and no {@code localhost}, so that these are always allowed.
 */
public final class AllowedHosts {

	// What a browser makes of every other spelling of an address
	private static final Pattern ADDRESS = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}|\\[[0-9a-f:.]+]");

	private static final Pattern PORT = Pattern.compile(":\\d*$");

	private final @Nullable Set<String> names;

	private AllowedHosts(@Nullable Set<String> names) {
		this.names = names;
	}

	/**
	 * Any name, for an application that knows by other means who asks.
	 * @return what allows all
	 */
	public static AllowedHosts any() {
		return new AllowedHosts(null);
	}

	/**
	 * Addresses, {@code localhost} and some names.
	 * @param names the names, without scheme and port
	 * @return what allows these
	 */
	public static AllowedHosts of(Collection<String> names) {
		return new AllowedHosts(names.stream().map(AllowedHosts::lowerCase).collect(Collectors.toUnmodifiableSet()));
	}

	/**
	 * Return the name that forbids a request. A proxy may tell another than it asks for:
	 * then both count, because a script could claim to be a proxy.
	 */
	@Nullable String forbidden(ServerRequest request) {
		String asked = request.headers().firstHeader(HttpHeaders.HOST);
		String told = request.uri().getRawAuthority();
		return (asked != null && !allows(asked)) ? asked : allows(told) ? null : told;
	}

	private boolean allows(String host) {
		String name = lowerCase(PORT.matcher(host).replaceFirst(""));
		return this.names == null || name.equals("localhost") || name.endsWith(".localhost")
				|| ADDRESS.matcher(name).matches() || this.names.contains(name);
	}

	private static String lowerCase(String name) {
		return name.toLowerCase(Locale.ROOT);
	}

}
