@NullMarked
package dev.millrace.export.push;

import org.jspecify.annotations.NullMarked;
