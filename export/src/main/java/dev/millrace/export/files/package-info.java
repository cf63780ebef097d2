/**
 * Files that are read again when they change. Shared by this module's packages; the module does not
 * export it.
 */
@NullMarked
package dev.millrace.export.files;

import org.jspecify.annotations.NullMarked;
