/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.test.modules;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * The application around the modules.
 */
@SpringBootApplication
public class ModulesApplication {

}
