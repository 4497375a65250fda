/**
 * The HTTP interface that the page uses.
 */
@NullMarked
package io.orderedoutbox.sample.web;

import org.jspecify.annotations.NullMarked;
