package io.orderedoutbox.monitor;

import java.net.URI;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;

/**
 * Tells requests of our own page from those that another site makes a browser send.
 * <p>
 * A browser says where a request comes from, in {@code Sec-Fetch-Site} or, where it does
 * not know that header, in {@code Origin}; and no site can make it send a header of our
 * own to us without asking first. A request from no browser carries the authority of
 * whoever sends it, and no other.
 */
final class SameOrigin {

	/** Has to be there in a request that changes something. */
	static final String HEADER = "X-Outbox-Monitor";

	private SameOrigin() {
	}

	/**
	 * Whether another site has sent it.
	 */
	static boolean isForeign(HttpHeaders headers) {
		String site = headers.getFirst("Sec-Fetch-Site");
		if (site != null) {
			return !site.equals("same-origin") && !site.equals("none");
		}
		String origin = headers.getOrigin();
		return origin != null && !isHost(origin, headers.getFirst(HttpHeaders.HOST));
	}

	/**
	 * Whether it may change something.
	 */
	static boolean mayAct(HttpHeaders headers) {
		MediaType type = headers.getContentType();
		return !isForeign(headers) && headers.getFirst(HEADER) != null && type != null
				&& MediaType.APPLICATION_JSON.equalsTypeAndSubtype(type);
	}

	private static boolean isHost(String origin, @Nullable String host) {
		try {
			String authority = URI.create(origin).getRawAuthority();
			return authority != null && host != null
					&& authority.toLowerCase(Locale.ROOT).equals(host.toLowerCase(Locale.ROOT));
		}
		catch (IllegalArgumentException ex) {
			return false;
		}
	}

}
