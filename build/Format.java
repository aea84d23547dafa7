import com.google.googlejavaformat.java.Formatter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Checks or fixes the format of every Java file below the current directory: `check` or `fix`. */
class Format {
  public static void main(String[] args) throws Exception {
    boolean fix = args.length > 0 && args[0].equals("fix");
    List<Path> files;
    try (var walk = Files.walk(Path.of("."))) {
      files = walk.filter(Format::isSource).sorted().toList();
    }
    Formatter formatter = new Formatter();
    int wrong = 0;
    for (Path file : files) {
      String before = Files.readString(file);
      String after = formatter.formatSourceAndFixImports(before);
      if (after.equals(before)) {
        continue;
      }
      if (fix) {
        Files.writeString(file, after);
      } else {
        System.err.println("not formatted: " + file);
      }
      wrong++;
    }
    System.out.println(files.size() + " Java files, " + wrong + (fix ? " reformatted" : " not formatted"));
    if (wrong > 0 && !fix) {
      System.err.println("run: mvn -N validate -Dformat=fix");
      System.exit(1);
    }
  }

  private static boolean isSource(Path path) {
    if (!path.toString().endsWith(".java")) {
      return false;
    }
    for (Path part : path) {
      if (List.of("target", "build", "node_modules", ".git").contains(part.toString())) {
        return false;
      }
    }
    return true;
  }
}
