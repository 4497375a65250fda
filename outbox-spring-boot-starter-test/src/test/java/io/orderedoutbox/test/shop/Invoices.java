package io.orderedoutbox.test.shop;

import org.springframework.stereotype.Service;

/**
 * A component that has nothing to do with messages.
 */
@Service
public class Invoices {

}
