package dev.trainyard.dist;

import dev.trainyard.cli.Command;
import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.Localizer;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.ApiClient;
import dev.trainyard.cli.api.Json;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.server.backup.ArchiveReader;
import dev.trainyard.server.backup.Manifest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code backup}: downloads a backup of the running server. The file gets its final name only after
 * it is complete, verified and synced to disk.
 */
@picocli.CommandLine.Command(name = "backup")
final class BackupCommand extends Command {
  private static final int READ_TIMEOUT_MILLIS = 10 * 60 * 1000;

  @Parameters(index = "0", paramLabel = "FILE", descriptionKey = "backup-file")
  private String file;

  @Option(names = "--with-logs")
  private boolean includeLogs;

  @Option(names = "--with-homes")
  private boolean includeHomes;

  @Option(names = "--force")
  private boolean force;

  BackupCommand(Session session) {
    super(session);
  }

  @Override
  public Integer call() throws IOException {
    String path = "/api/v3/backup?logs=" + includeLogs + "&homes=" + includeHomes;
    if (file.equals("-")) {
      writeToOutput(path);
      return ExitCode.OK;
    }
    Path target = Path.of(file).toAbsolutePath();
    if (Files.exists(target) && !force) {
      throw new AppException(
          ErrorCode.CONFLICT, Message.of("cli.backup.exists", "file", target.toString()));
    }
    Path partialFile = target.resolveSibling(target.getFileName() + ".part");
    Manifest manifest;
    try {
      Files.deleteIfExists(partialFile);
      download(path, partialFile);
      terminal().status(text("cli.backup.verifying"));
      manifest = new ArchiveReader(partialFile).verify();
      Files.move(
          partialFile, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      sync(target.getParent());
    } catch (IOException e) {
      throw new AppException(
          ErrorCode.INTERNAL,
          Message.of("cli.backup.failed", "file", target.toString())
              .with("detail", String.valueOf(e.getMessage())));
    } finally {
      terminal().clearStatus();
      Files.deleteIfExists(partialFile);
    }
    report(target, manifest);
    return ExitCode.OK;
  }

  private void writeToOutput(String path) throws IOException {
    try (ApiClient.Stream in = api().open(path, READ_TIMEOUT_MILLIS)) {
      byte[] buffer = new byte[256 * 1024];
      for (int count = in.bytes().read(buffer); count >= 0; count = in.bytes().read(buffer)) {
        terminal().logOut(buffer, count);
      }
    }
  }

  private void download(String path, Path partialFile) throws IOException {
    var mode = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    try (ApiClient.Stream in = api().open(path, READ_TIMEOUT_MILLIS);
        FileChannel out =
            FileChannel.open(
                partialFile,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                mode)) {
      byte[] buffer = new byte[256 * 1024];
      long total = 0;
      for (int count = in.bytes().read(buffer); count >= 0; count = in.bytes().read(buffer)) {
        ByteBuffer bytes = ByteBuffer.wrap(buffer, 0, count);
        while (bytes.hasRemaining()) {
          out.write(bytes);
        }
        total += count;
        terminal().status(text("cli.backup.progress", "size", Localizer.megabytes(total >> 20)));
      }
      out.force(true);
    }
  }

  /** Syncs the directory, because otherwise the new name of the file might not survive a crash. */
  private static void sync(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  private void report(Path target, Manifest manifest) throws IOException {
    if (session().json()) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("file", target.toString());
      fields.putAll(describe(manifest));
      fields.put("size", Files.size(target));
      terminal().line(new Json(fields).text());
      return;
    }
    terminal()
        .line(
            text(
                "cli.backup.done",
                "file",
                target,
                "size",
                Localizer.megabytes(Math.max(1, Files.size(target) >> 20)),
                "jobs",
                manifest.tables().getOrDefault("job", 0L),
                "users",
                manifest.tables().getOrDefault("users", 0L)));
    BackupContents contents = new BackupContents(localizer(), manifest);
    terminal().line(contents.included());
    terminal().line(contents.omitted());
    if (manifest.skipped() != null && manifest.skipped() > 0) {
      terminal().note(text("cli.backup.skipped", "n", manifest.skipped()));
    }
  }

  /** Returns the fields of a backup for the JSON output. */
  static Map<String, Object> describe(Manifest manifest) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("version", manifest.version());
    fields.put("schema", manifest.schema());
    fields.put("created", manifest.created());
    fields.put("database", manifest.database());
    fields.put("tables", manifest.tables());
    fields.put("files", manifest.files());
    Map<String, Object> trees = new LinkedHashMap<>();
    manifest
        .trees()
        .forEach(
            (name, tree) ->
                trees.put(name, Map.of("entries", tree.entries(), "bytes", tree.bytes())));
    fields.put("trees", trees);
    fields.put("skipped", manifest.skipped());
    return fields;
  }
}
