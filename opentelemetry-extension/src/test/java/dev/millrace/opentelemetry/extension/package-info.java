@NullMarked
package dev.millrace.opentelemetry.extension;

import org.jspecify.annotations.NullMarked;
