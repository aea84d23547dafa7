package dev.trainyard.jobfile;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The variables that OpenPAI v1 substitutes in {@code dataDir}, {@code outputDir} and {@code
 * codeDir} before the job runs. This platform has no default file system, so {@code
 * PAI_DEFAULT_FS_URI} is empty, as in OpenPAI v2.
 */
public final class DirectoryVariables {
  private static final Pattern VARIABLE =
      Pattern.compile(
          "\\$(?:\\{(PAI_JOB_NAME|PAI_USER_NAME|PAI_DEFAULT_FS_URI)}"
              + "|(PAI_JOB_NAME|PAI_USER_NAME|PAI_DEFAULT_FS_URI))");

  private DirectoryVariables() {}

  /** Returns the directory with the variables of this job and user substituted. */
  public static String substitute(String directory, String jobName, String userName) {
    return VARIABLE
        .matcher(directory)
        .replaceAll(
            match -> {
              String name = match.group(1) != null ? match.group(1) : match.group(2);
              return Matcher.quoteReplacement(
                  switch (name) {
                    case "PAI_JOB_NAME" -> jobName;
                    case "PAI_USER_NAME" -> userName;
                    default -> "";
                  });
            });
  }

  static boolean usesDefaultFileSystem(String directory) {
    return directory.contains("PAI_DEFAULT_FS_URI");
  }
}
