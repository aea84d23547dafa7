import com.google.googlejavaformat.java.Formatter;
import com.google.googlejavaformat.java.FormatterException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Checks ({@code check}) or fixes ({@code fix}) the format of all Java files of the checkout. */
class Format {
  public static void main(String[] args) throws Exception {
    boolean fix = args.length > 0 && args[0].equals("fix");
    List<Path> files;
    try (var walk = Files.walk(Path.of("."))) {
      files = walk.filter(Format::isSource).sorted().toList();
    }
    Formatter formatter = new Formatter();
    long unformattedFiles = files.parallelStream().filter(file -> !isFormatted(formatter, file, fix)).count();
    System.out.println(files.size() + " Java files, " + unformattedFiles + (fix ? " reformatted" : " not formatted"));
    if (unformattedFiles > 0 && !fix) {
      System.err.println("run: mvn -N validate -Dformat=fix");
      System.exit(1);
    }
  }

  private static boolean isFormatted(Formatter formatter, Path file, boolean fix) {
    try {
      String before = Files.readString(file);
      String after = formatter.formatSourceAndFixImports(before);
      if (after.equals(before)) {
        return true;
      }
      if (fix) {
        Files.writeString(file, after);
      } else {
        System.err.println("not formatted: " + file);
      }
      return false;
    } catch (IOException | FormatterException e) {
      throw new IllegalStateException("failed to format " + file, e);
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
