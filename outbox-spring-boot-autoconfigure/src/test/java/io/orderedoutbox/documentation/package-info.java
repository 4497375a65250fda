/**
 * The documentation is tested like code: what it shows compiles, binds or runs.
 */
package io.orderedoutbox.documentation;
