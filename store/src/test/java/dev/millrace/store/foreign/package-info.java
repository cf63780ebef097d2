/** Tests of the readers of other clients' files. */
@NullMarked
package dev.millrace.store.foreign;

import org.jspecify.annotations.NullMarked;
