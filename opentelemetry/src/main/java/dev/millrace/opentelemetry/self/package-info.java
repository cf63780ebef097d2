/** What all push exporters do about themselves, so that they are not their own input. */
@NullMarked
package dev.millrace.opentelemetry.self;

import org.jspecify.annotations.NullMarked;
