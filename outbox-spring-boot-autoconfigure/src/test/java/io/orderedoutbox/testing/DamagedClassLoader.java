/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.testing;

import java.io.IOException;
import java.net.URL;
import java.util.Enumeration;

/**
 * A class path on which nothing can be searched for, such as one with a jar file that is
 * damaged.
 */
public final class DamagedClassLoader extends ClassLoader {

	@Override
	public Enumeration<URL> getResources(String name) throws IOException {
		throw new IOException("bad header");
	}

}
