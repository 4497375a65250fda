package io.orderedoutbox.store;

import java.util.List;

/**
 * Where a verb finds its targets and how it gets hold of them: statements of
 * {@link AdministrationStatements}.
 *
 * @param look the next targets behind a position, as they were at a given time
 * @param value what the look compares with, nothing where all are selected
 * @param lock locks those of the given targets that nobody else holds
 * @param there which of the given targets are still there
 * @param verify which of the given targets, once they are locked, are still what they
 * were looked for
 */
record Aim(String look, List<String> value, String lock, String there, String verify) {

}
