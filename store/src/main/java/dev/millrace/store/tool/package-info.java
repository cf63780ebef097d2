/** What {@code millrace store} does, as methods that print to an {@link Appendable}. */
@NullMarked
package dev.millrace.store.tool;

import org.jspecify.annotations.NullMarked;
