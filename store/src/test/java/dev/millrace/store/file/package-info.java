/** Tests of the store's files. */
@NullMarked
package dev.millrace.store.file;

import org.jspecify.annotations.NullMarked;
