/**
 * Events that are written with Lombok.
 */
package io.orderedoutbox.lombok;
