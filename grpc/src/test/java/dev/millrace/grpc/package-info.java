@NullMarked
package dev.millrace.grpc;

import org.jspecify.annotations.NullMarked;
