/**
 * What the tests share: an application with the outbox, and a queue that remembers.
 */
package io.orderedoutbox.testing;
