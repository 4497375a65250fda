/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.connection;

/**
 * Which connection a session has, and to which server.
 *
 * @param connectionId the connection, which has the locks of the session
 * @param server what tells the server from another
 */
public record SessionIdentity(long connectionId, String server) {

}
