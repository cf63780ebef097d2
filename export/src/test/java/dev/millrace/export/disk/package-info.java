@NullMarked
package dev.millrace.export.disk;

import org.jspecify.annotations.NullMarked;
