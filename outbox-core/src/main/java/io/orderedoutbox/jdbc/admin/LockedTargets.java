package io.orderedoutbox.jdbc.admin;

import java.util.List;

/**
 * The targets that a verb has locked, out of some that it has looked at.
 *
 * @param targets those that it has locked
 * @param passedOver how many it leaves alone because it could not lock them, or one
 * before them in their key
 */
record LockedTargets(List<VerbTarget> targets, long passedOver) {

}
