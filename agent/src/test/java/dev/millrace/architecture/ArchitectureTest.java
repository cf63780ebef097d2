package dev.millrace.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import dev.millrace.bytes.ChunkPool;
import dev.millrace.testkit.GivenBack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The arrows between modules and packages that {@code docs/design.md} draws, and the house rules
 * that bytecode shows.
 */
class ArchitectureTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final List<String> MODULES =
      List.of(
          "testkit",
          "core",
          "store",
          "export",
          "grpc",
          "opentelemetry",
          "opentelemetry-extension",
          "agent");

  private static final JavaClasses MAIN = classesIn("target/classes");
  private static final JavaClasses TESTS = classesIn("target/test-classes");

  private static JavaClasses classesIn(String folder) {
    return new ClassFileImporter()
        .importPaths(
            MODULES.stream()
                .map(module -> ROOT.resolve(module).resolve(folder))
                .filter(Files::isDirectory)
                .toList());
  }

  @Test
  void everyModuleWasRead() {
    for (String module :
        List.of("testkit", "bytes", "store", "export", "grpc", "opentelemetry", "agent")) {
      assertThat(MAIN.stream().map(JavaClass::getPackageName))
          .as("classes of %s under %s", module, ROOT)
          .anyMatch(name -> name.startsWith("dev.millrace." + module));
    }
  }

  @Test
  void modulesDependOnlyAlongTheArrows() {
    layeredArchitecture()
        .consideringOnlyDependenciesInAnyPackage("dev.millrace..")
        .layer("testkit")
        .definedBy("dev.millrace.testkit..")
        .layer("bytes")
        .definedBy("dev.millrace.bytes..")
        .layer("deflate")
        .definedBy("dev.millrace.deflate..")
        .layer("model")
        .definedBy("dev.millrace.model..")
        .layer("format")
        .definedBy("dev.millrace.format..")
        .layer("store")
        .definedBy("dev.millrace.store..")
        .layer("export")
        .definedBy("dev.millrace.export..")
        .layer("grpc")
        .definedBy("dev.millrace.grpc..")
        .layer("opentelemetry")
        .definedBy("dev.millrace.opentelemetry..")
        .layer("agent")
        .definedBy("dev.millrace.agent..")
        .whereLayer("testkit")
        .mayNotAccessAnyLayer()
        .whereLayer("bytes")
        .mayNotAccessAnyLayer()
        .whereLayer("deflate")
        .mayOnlyAccessLayers("bytes")
        .whereLayer("model")
        .mayOnlyAccessLayers("bytes")
        .whereLayer("format")
        .mayOnlyAccessLayers("bytes", "model")
        .whereLayer("store")
        .mayOnlyAccessLayers("bytes", "model", "format")
        .whereLayer("export")
        .mayOnlyAccessLayers("bytes", "deflate", "model", "format")
        .whereLayer("grpc")
        .mayOnlyAccessLayers("bytes", "export")
        .whereLayer("opentelemetry")
        .mayOnlyAccessLayers("bytes", "model", "format", "export")
        .whereLayer("agent")
        .mayOnlyAccessLayers("bytes", "model", "format", "store", "export", "opentelemetry")
        .ensureAllClassesAreContainedInArchitecture()
        .check(MAIN);
  }

  @Test
  void coreStoreAndExportKnowNoTelemetryLibrary() {
    noClasses()
        .that(
            resideInAnyPackage(
                "dev.millrace.bytes..",
                "dev.millrace.deflate..",
                "dev.millrace.model..",
                "dev.millrace.format..",
                "dev.millrace.store..",
                "dev.millrace.export.."))
        .should()
        .dependOnClassesThat(
            resideInAnyPackage("io.opentelemetry..", "io.prometheus..", "io.netty.."))
        .check(MAIN);
  }

  @Test
  void packagesHaveNoCycles() {
    slices().matching("dev.millrace.(**)").should().beFreeOfCycles().check(MAIN);
  }

  @Test
  void noPackageIsCalledInternal() {
    noClasses().should().resideInAPackage("..internal..").check(MAIN);
  }

  @Test
  void nothingIsKeptInStaticMapsOrInThreadLocals() {
    noFields()
        .that()
        .areStatic()
        .should()
        .haveRawType(
            com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo(ConcurrentMap.class))
        .because("static caches leak: a cache belongs to the object that owns what it holds")
        .check(MAIN);
    noFields()
        .should()
        .haveRawType(
            com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo(ThreadLocal.class))
        .because("state of a thread outlives the call that made it")
        .check(MAIN);
    noClasses().should().dependOnClassesThat(resideInAPackage("sun.misc..")).check(MAIN);
  }

  @Test
  void encodersReadNoClockAndDoNoIo() {
    noClasses()
        .that(resideInAPackage("dev.millrace.format.."))
        .should()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .dependOnClassesThat(
            resideInAnyPackage("java.net..", "java.nio.file..", "java.nio.channels.."))
        .check(MAIN);
  }

  @Test
  void testsThatMakeAPoolProveThatItsChunksCameBack() {
    ArchRule rule =
        classes()
            .that(alwaysTrue())
            .should(
                new ArchCondition<JavaClass>(
                    "watch every ChunkPool that they make with GivenBack") {
                  @Override
                  public void check(JavaClass testClass, ConditionEvents events) {
                    boolean makesPool =
                        testClass.getConstructorCallsFromSelf().stream()
                            .anyMatch(
                                call -> call.getTargetOwner().isEquivalentTo(ChunkPool.class));
                    boolean watches =
                        testClass.getDirectDependenciesFromSelf().stream()
                            .anyMatch(use -> use.getTargetClass().isEquivalentTo(GivenBack.class));
                    // What tests start in a JVM of its own ends with its pool.
                    boolean isProgram = testClass.tryGetMethod("main", String[].class).isPresent();
                    if (makesPool && !watches && !isProgram) {
                      events.add(
                          SimpleConditionEvent.violated(
                              testClass,
                              testClass.getName() + " makes a ChunkPool that nothing watches"));
                    }
                  }
                });
    rule.check(TESTS);
  }

  @Test
  void constantsAreFinal() {
    fields().that().areStatic().and().areNotPrivate().should().beFinal().check(MAIN);
  }

  @Test
  void noSourceFileIsOver500Lines() throws IOException {
    for (String module : MODULES) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src"))) {
        for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
          try (Stream<String> lines = Files.lines(file)) {
            assertThat(lines.count())
                .as("lines of %s", ROOT.relativize(file))
                .isLessThanOrEqualTo(500);
          }
        }
      }
    }
  }
}
