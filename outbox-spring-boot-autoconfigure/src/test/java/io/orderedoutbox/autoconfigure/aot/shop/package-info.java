/**
 * The events of an application, for tests of what a build finds.
 */
package io.orderedoutbox.autoconfigure.aot.shop;
