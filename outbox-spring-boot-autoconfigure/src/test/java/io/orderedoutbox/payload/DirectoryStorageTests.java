/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.payload;

import java.nio.file.Path;

import io.orderedoutbox.contract.PayloadStorageContract;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/**
 * The example of a storage in a directory keeps the contract.
 */
@Tag("unit")
class DirectoryStorageTests extends PayloadStorageContract {

	@TempDir
	private Path directory;

	@Override
	protected PayloadStorage storage() {
		return new DirectoryStorage(this.directory);
	}

}
