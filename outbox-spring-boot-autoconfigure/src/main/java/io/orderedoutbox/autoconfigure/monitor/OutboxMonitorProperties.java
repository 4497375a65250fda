/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.monitor;

import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.format.annotation.DurationFormat.Style;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.Assert;

/**
 * Configuration properties of what operators see.
 *
 * @param sampleInterval Time after which an instance looks again at how much waits in the
 * outbox and in queues of shards, for metrics and health. Zero for never.
 * @param heartbeatInterval Time after which an instance says again that it is there, and
 * what the workers of its relay are doing. Zero for never: then instances do not notice
 * that they differ in outbox.ordered, and a message that ends its process spends no
 * attempts.
 * @param summaryInterval Time after which an instance that relays writes to the log again
 * what is stuck, as long as anything is. Zero for never.
 * @param enabled Whether to serve the monitor page. The page can act on messages, so that
 * only operators may reach it.
 * @param path Path of the monitor page.
 * @param secured Whether the application has a rule of its own for who may see the
 * monitor page. Must be true where Spring Security is on the class path.
 * @param allowedHosts Comma-separated list of host names, without port, under which the
 * monitor page may be asked for, besides localhost and addresses. If the page is secured
 * and the list is empty, any name will do.
 * @param showPayloads Whether the endpoint and the page show and export payloads and the
 * values of headers. They are masked otherwise.
 */
@ConfigurationProperties("outbox.monitor")
public record OutboxMonitorProperties(@DefaultValue("15s") Duration sampleInterval,
		@DefaultValue("15s") Duration heartbeatInterval, @DefaultValue("1h") Duration summaryInterval,
		@DefaultValue("false") boolean enabled, @DefaultValue("/outbox") String path,
		@DefaultValue("false") boolean secured, @DefaultValue List<String> allowedHosts,
		@DefaultValue("false") boolean showPayloads) {

	private static final Duration SHORTEST = Duration.ofSeconds(1);

	private static final Duration LONGEST = Duration.ofHours(1);

	private static final Duration LONGEST_SUMMARY = Duration.ofDays(7);

	private static final Pattern HOST = Pattern.compile("[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)*");

	private static final Pattern PATH = Pattern.compile("(/[A-Za-z0-9_~.-]+)+");

	/**
	 * Create properties.
	 * @throws IllegalArgumentException if a value makes no sense
	 */
	public OutboxMonitorProperties {
		requireInterval("sample-interval", sampleInterval, LONGEST);
		requireInterval("heartbeat-interval", heartbeatInterval, LONGEST);
		requireInterval("summary-interval", summaryInterval, LONGEST_SUMMARY);
		Assert.isTrue(PATH.matcher(path).matches(),
				() -> "'outbox.monitor.path' must begin with a slash, not end with one, and have no special characters, but is '%s'"
					.formatted(path));
		allowedHosts.forEach((host) -> Assert.isTrue(HOST.matcher(host).matches(),
				() -> "'outbox.monitor.allowed-hosts' must consist of host names without scheme, port and wildcards, but has '%s'"
					.formatted(host)));
	}

	private static void requireInterval(String name, Duration value, Duration longest) {
		boolean sensible = value.compareTo(SHORTEST) >= 0 && value.compareTo(longest) <= 0;
		Assert.isTrue(value.isZero() || sensible, () -> "'outbox.monitor.%s' must be 0s or between 1s and %s, but is %s"
			.formatted(name, text(longest), text(value)));
	}

	private static String text(Duration duration) {
		return DurationFormatterUtils.print(duration, Style.COMPOSITE);
	}

}
