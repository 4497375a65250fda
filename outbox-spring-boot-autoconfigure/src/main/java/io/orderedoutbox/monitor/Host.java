/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor;

import java.net.InetAddress;
import java.net.UnknownHostException;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The host that this instance runs on. The instance looks the name up once, when it first
 * needs it, because that can take its time.
 */
public final class Host {

	private static final Logger logger = LoggerFactory.getLogger(Host.class);

	private static final int MOST = 190;

	private Host() {
	}

	/**
	 * Return the name of this host.
	 * @return the name, never blank
	 */
	public static String name() {
		return Name.VALUE;
	}

	private static String lookUp() {
		try {
			String name = InetAddress.getLocalHost().getHostName();
			return name.substring(0, Math.min(name.length(), MOST));
		}
		catch (UnknownHostException | RuntimeException ex) {
			logger.debug("The name of this host is not known", ex);
			return "unknown";
		}
	}

	private static final class Name {

		static final String VALUE = lookUp();

	}

}
