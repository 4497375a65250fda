package io.orderedoutbox.autoconfigure;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks the auto-configuration that each outbox of an application has for itself: also
 * one with a name, in the context of its own that {@link NamedOutbox} makes. What has no
 * such mark is there once.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@interface EachOutbox {

}
