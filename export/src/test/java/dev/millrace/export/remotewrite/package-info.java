@NullMarked
package dev.millrace.export.remotewrite;

import org.jspecify.annotations.NullMarked;
