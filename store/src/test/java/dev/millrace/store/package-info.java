/** Tests of the store as a user meets it. */
@NullMarked
package dev.millrace.store;

import org.jspecify.annotations.NullMarked;
