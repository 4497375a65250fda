/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc;

import java.util.Optional;

/**
 * In what instances of one outbox differ.
 *
 * @param otherOrder what another instance keeps that keeps another order than this one,
 * empty if there is none
 * @param disagreement on what this instance does not agree with its outbox or with an
 * instance that was there before it, empty if it agrees
 */
public record InstanceDifferences(Optional<String> otherOrder, Optional<String> disagreement) {

}
