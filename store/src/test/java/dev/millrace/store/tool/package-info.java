/** Tests of the store's command line. */
@NullMarked
package dev.millrace.store.tool;

import org.jspecify.annotations.NullMarked;
