package dev.trainyard.dist;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.io.File;
import java.io.PrintStream;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Checks the dependencies between modules and forbidden APIs; CONTRIBUTING.md gives reasons. */
class ArchitectureTest {
  private static JavaClasses classes;

  @BeforeAll
  static void read() {
    classes =
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.trainyard");
  }

  private static void check(ArchRule rule) {
    rule.check(classes);
  }

  @Test
  void modules_dependOnlyOnLowerLayers() {
    check(
        layeredArchitecture()
            .consideringOnlyDependenciesInAnyPackage("dev.trainyard..")
            .layer("model")
            .definedBy("dev.trainyard.model..")
            .layer("jobfile")
            .definedBy("dev.trainyard.jobfile..")
            .layer("scheduler")
            .definedBy("dev.trainyard.scheduler..")
            .layer("engine")
            .definedBy("dev.trainyard.engine")
            .layer("linux")
            .definedBy("dev.trainyard.engine.linux..")
            .layer("process")
            .definedBy("dev.trainyard.engine.process..")
            .layer("docker")
            .definedBy("dev.trainyard.engine.docker..")
            .layer("server")
            .definedBy("dev.trainyard.server..")
            .layer("cli")
            .definedBy("dev.trainyard.cli..")
            .layer("dist")
            .definedBy("dev.trainyard.dist..")
            .whereLayer("model")
            .mayNotAccessAnyLayer()
            .whereLayer("jobfile")
            .mayOnlyAccessLayers("model")
            .whereLayer("scheduler")
            .mayOnlyAccessLayers("model")
            .whereLayer("engine")
            .mayOnlyAccessLayers("model")
            .whereLayer("linux")
            .mayOnlyAccessLayers("engine", "model")
            .whereLayer("process")
            .mayOnlyAccessLayers("linux", "engine", "model")
            .whereLayer("docker")
            .mayOnlyAccessLayers("linux", "engine", "model")
            .whereLayer("server")
            .mayOnlyAccessLayers("model", "jobfile", "scheduler", "engine", "linux")
            .whereLayer("cli")
            .mayOnlyAccessLayers("model", "jobfile", "scheduler"));
  }

  @Test
  void serverPackages_haveNoCycles() {
    check(slices().matching("dev.trainyard.server.(*)..").should().beFreeOfCycles());
  }

  @Test
  void cliPackages_haveNoCycles() {
    check(slices().matching("dev.trainyard.cli.(*)..").should().beFreeOfCycles());
  }

  @Test
  void modelAndScheduler_doNoInputOrOutput() {
    check(
        noClasses()
            .that()
            .resideInAnyPackage("dev.trainyard.model..", "dev.trainyard.scheduler..")
            .should()
            .dependOnClassesThat(
                resideInAPackage("java.nio.file..")
                    .or(resideInAPackage("java.net.."))
                    .or(resideInAPackage("java.sql.."))));
  }

  @Test
  void timeDependentCode_usesTheInjectedClock() {
    check(ArchitectureRules.usesTheInjectedClock(ArchitectureRules.MAY_CREATE_CLOCK));
  }

  @Test
  void server_neverSleeps() {
    check(ArchitectureRules.neverSleeps(ArchitectureRules.MAY_SLEEP));
  }

  @Test
  void sql_isOnlyInStores() {
    check(ArchitectureRules.sqlIsInStores(ArchitectureRules.PARTS_OF_STORES));
    check(ArchitectureRules.partsOfStoresAreUsedByStores());
  }

  @Test
  void openPaiAdapter_hasNoSql() {
    check(ArchitectureRules.openPaiHasNoSql());
  }

  @Test
  void server_dependsOnNoImplementationOfEngine() {
    check(ArchitectureRules.serverKnowsNoEngine());
  }

  @Test
  void exemptions_areNeeded() {
    assertNeeded(ArchitectureRules.MAY_SLEEP, ArchitectureRules::neverSleeps);
    assertNeeded(ArchitectureRules.MAY_CREATE_CLOCK, ArchitectureRules::usesTheInjectedClock);
    assertNeeded(ArchitectureRules.PARTS_OF_STORES, ArchitectureRules::sqlIsInStores);
  }

  /** Checks that the rule fails without any one of the exemptions. */
  private static void assertNeeded(Set<String> exempt, Function<Set<String>, ArchRule> rule) {
    for (String name : exempt) {
      Set<String> others = new HashSet<>(exempt);
      others.remove(name);
      assertThat(rule.apply(others).evaluate(classes).hasViolation()).as(name).isTrue();
    }
  }

  @Test
  void server_doesNotPrint() {
    check(
        noClasses()
            .that()
            .resideInAnyPackage(
                "dev.trainyard.model..",
                "dev.trainyard.jobfile..",
                "dev.trainyard.scheduler..",
                "dev.trainyard.engine..",
                "dev.trainyard.server..")
            .and()
            .doNotHaveSimpleName("MemoryExhaustion") // reports failures that no logger may survive
            .should()
            .accessField(System.class, "out")
            .orShould()
            .callMethod(Throwable.class, "printStackTrace")
            .orShould()
            .callMethod(Throwable.class, "printStackTrace", PrintStream.class));
  }

  @Test
  void javaIoFile_isNotUsed() {
    check(noClasses().should().callConstructor(File.class, String.class));
  }
}
