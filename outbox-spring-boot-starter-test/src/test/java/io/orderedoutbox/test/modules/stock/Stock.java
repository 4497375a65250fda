package io.orderedoutbox.test.modules.stock;

import org.springframework.stereotype.Service;

/**
 * Belongs to another module: a test of orders does without it.
 */
@Service
public class Stock {

}
