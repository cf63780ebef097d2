package dev.millrace.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.export.scrape.ScrapeHandler;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.common.ComponentLoader;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.logs.SdkLoggerProvider;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.lang.module.ResolvedModule;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** An application on the module path that has the SDK, and nothing that is optional. */
class ModulePathTest {
  private static final String MODULE = "dev.millrace.opentelemetry";

  @Test
  void theModuleNeedsOnlyTheSdk() throws Exception {
    List<Path> path = new ArrayList<>();
    for (Class<?> type :
        List.of(
            PrometheusExporter.class,
            ScrapeHandler.class,
            ChunkPool.class,
            OpenTelemetry.class,
            Context.class,
            ComponentLoader.class,
            CompletableResultCode.class,
            SdkMeterProvider.class,
            SdkTracerProvider.class,
            SdkLoggerProvider.class,
            // Not by its name: this module does not read that one.
            Class.forName("org.xerial.snappy.Snappy"))) {
      path.add(locationOf(type));
    }
    Configuration resolved =
        ModuleLayer.boot()
            .configuration()
            .resolve(ModuleFinder.of(path.toArray(new Path[0])), ModuleFinder.of(), Set.of(MODULE));
    assertThat(resolved.modules())
        .extracting(ResolvedModule::name)
        .contains(MODULE, "dev.millrace.core", "dev.millrace.export");
  }

  private static Path locationOf(Class<?> type) throws URISyntaxException {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
  }
}
