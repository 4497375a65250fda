/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.schema;

import java.util.List;

/**
 * A table, as a script creates it.
 *
 * @param name its name
 * @param columns its columns
 * @param indexes its primary key and its indexes
 */
record TableDefinition(String name, List<ColumnDefinition> columns, List<IndexDefinition> indexes) {

}
