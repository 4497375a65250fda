package io.orderedoutbox.test.shop;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * An application that keeps the order of partition keys.
 */
@SpringBootApplication
public class ShopApplication {

}
