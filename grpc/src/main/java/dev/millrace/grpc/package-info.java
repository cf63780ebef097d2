/**
 * Unary gRPC over HTTP/2, by the protocol of gRPC ({@code PROTOCOL-HTTP2.md}) and OTLP's rules of
 * what may be retried. {@link dev.millrace.grpc.GrpcTransport} is all that there is to use; {@link
 * dev.millrace.grpc.GrpcTransportProvider} is how an exporter finds it without naming it.
 */
@NullMarked
package dev.millrace.grpc;

import org.jspecify.annotations.NullMarked;
