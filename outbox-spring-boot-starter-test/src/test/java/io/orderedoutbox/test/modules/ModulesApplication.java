package io.orderedoutbox.test.modules;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * The application around the modules.
 */
@SpringBootApplication
public class ModulesApplication {

}
