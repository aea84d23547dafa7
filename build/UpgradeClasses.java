import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ClassHierarchyResolverOption;
import java.lang.classfile.ClassFile.StackMapsOption;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.List;

/**
 * Rewrites the classes of a jar that were compiled for Java 5 or older. Java does not store such
 * classes in its AOT cache, because they lack the stack maps that its verifier needs. The classes of
 * picocli are such classes; loading them without the cache took half of the startup time of a command.
 */
class UpgradeClasses {
  private static final int MIN_VERSION_WITH_STACK_MAPS = 50;
  private static final int TARGET_VERSION = 61;

  /**
   * Usage: UpgradeClasses IN OUT. The result is moved to OUT atomically, so that a server that runs
   * from the old jar keeps reading the old jar.
   */
  public static void main(String[] args) throws IOException {
    Path draft = Path.of(args[1] + ".draft");
    Files.copy(Path.of(args[0]), draft, StandardCopyOption.REPLACE_EXISTING);
    upgradeAll(draft);
    Files.move(draft, Path.of(args[1]), StandardCopyOption.ATOMIC_MOVE);
  }

  private static void upgradeAll(Path file) throws IOException {
    try (FileSystem jar = FileSystems.newFileSystem(file)) {
      Path root = jar.getPath("/");
      ClassFile classFile =
          ClassFile.of(
              StackMapsOption.GENERATE_STACK_MAPS,
              ClassHierarchyResolverOption.of(
                  ClassHierarchyResolver.defaultResolver()
                      .orElse(ClassHierarchyResolver.ofResourceParsing(name -> openClass(root, name)))));
      List<Path> classes;
      try (var walk = Files.walk(root)) {
        classes = walk.filter(path -> path.toString().endsWith(".class")).toList();
      }
      int upgraded = 0;
      for (Path path : classes) {
        if (readVersion(path) < MIN_VERSION_WITH_STACK_MAPS) {
          FileTime time = Files.getLastModifiedTime(path);
          Files.write(path, upgrade(classFile, Files.readAllBytes(path)));
          Files.setLastModifiedTime(path, time);
          upgraded++;
        }
      }
      System.out.println(upgraded + " classes upgraded");
    }
  }

  private static int readVersion(Path path) throws IOException {
    try (InputStream in = Files.newInputStream(path)) {
      byte[] header = in.readNBytes(8);
      return (header[6] & 0xFF) << 8 | header[7] & 0xFF;
    }
  }

  private static byte[] upgrade(ClassFile classFile, byte[] bytes) {
    ClassTransform version =
        (builder, element) -> {
          if (element instanceof ClassFileVersion) {
            builder.withVersion(TARGET_VERSION, 0);
          } else {
            builder.with(element);
          }
        };
    // Method bodies that are only copied would not get stack maps.
    ClassTransform bodies = ClassTransform.transformingMethodBodies(CodeBuilder::with);
    return classFile.transformClass(classFile.parse(bytes), version.andThen(bodies));
  }

  private static InputStream openClass(Path root, ClassDesc name) {
    String descriptor = name.descriptorString();
    Path path = root.resolve(descriptor.substring(1, descriptor.length() - 1) + ".class");
    try {
      return Files.exists(path) ? Files.newInputStream(path) : null;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
