package dev.trainyard.cli.file;

import dev.trainyard.cli.Command;
import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.Localizer;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.ApiClient;
import dev.trainyard.cli.api.Json;
import dev.trainyard.cli.terminal.PlainText;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine.Parameters;

/** {@code cp SRC DST}: copies files between this computer and the server. */
@picocli.CommandLine.Command(name = "cp")
public final class CpCommand extends Command {
  private static final int TIMEOUT_MILLIS = 3_600_000;

  @Parameters(index = "0", paramLabel = "SRC", descriptionKey = "cp-path")
  private String source;

  @Parameters(index = "1", paramLabel = "DST", descriptionKey = "cp-path")
  private String target;

  private final CopyProgress progress;

  public CpCommand(Session session) {
    super(session);
    this.progress = new CopyProgress(session);
  }

  @Override
  public Integer call() {
    if (RemotePath.isRemote(source) == RemotePath.isRemote(target)) {
      throw new AppException(ErrorCode.BAD_REQUEST, Message.of("cli.cp.sides"));
    }
    try {
      if (RemotePath.isRemote(target)) {
        upload();
      } else {
        download(RemotePath.parse(source));
      }
    } catch (IOException e) {
      throw new AppException(
          ErrorCode.CONFLICT,
          Message.of("cli.files.broken", "detail", String.valueOf(e.getMessage())));
    } finally {
      progress.end();
    }
    if (!target.equals("-")) {
      report();
    }
    return ExitCode.OK;
  }

  private void report() {
    terminal()
        .line(
            session().json()
                ? new Json(Map.of("files", progress.fileCount(), "bytes", progress.byteCount()))
                    .pretty()
                : text(
                    "cli.cp.copied",
                    "files",
                    progress.fileCount(),
                    "size",
                    Localizer.bytes(progress.byteCount())));
  }

  private void upload() throws IOException {
    RemotePath remote = RemotePath.parse(target);
    if (source.equals("-")) {
      InputStream input = session().environment().in();
      upload("-", remote, input::transferTo);
      return;
    }
    Path local = Path.of(source);
    if (Files.isDirectory(local)) {
      uploadDirectory(local, remote);
    } else {
      boolean isIntoDirectory = target.endsWith("/") || remote.path().isEmpty();
      uploadFile(local, isIntoDirectory ? remote.child(local.getFileName().toString()) : remote);
    }
  }

  private void uploadDirectory(Path local, RemotePath remote) throws IOException {
    if (!remote.path().isEmpty()) {
      api()
          .post(
              "/api/v3/files/directory",
              Map.of("storage", remote.storage(), "path", remote.path()));
    }
    List<Path> children;
    try (Stream<Path> entries = Files.list(local)) {
      children = entries.sorted().toList();
    }
    for (Path child : children) {
      RemotePath remoteChild = remote.child(child.getFileName().toString());
      if (Files.isDirectory(child, LinkOption.NOFOLLOW_LINKS)) {
        uploadDirectory(child, remoteChild);
      } else if (Files.isRegularFile(child, LinkOption.NOFOLLOW_LINKS)) {
        uploadFile(child, remoteChild);
      } else {
        noteSkipped(child.toString());
      }
    }
  }

  private void noteSkipped(String path) {
    terminal().note(text("cli.cp.skipped", "path", PlainText.of(path)));
  }

  private void uploadFile(Path local, RemotePath remote) throws IOException {
    if (!Files.isReadable(local)) {
      throw new IOException(local.toString());
    }
    upload(local.toString(), remote, out -> Files.copy(local, out));
  }

  private void upload(String path, RemotePath remote, ApiClient.Upload content) {
    Json stored =
        api()
            .upload(
                "PUT",
                remote.request("/content") + "&overwrite=true",
                "application/octet-stream",
                out -> content.writeTo(progress.watch(path, out)),
                TIMEOUT_MILLIS);
    progress.fileCopied(stored.number("size"));
  }

  private void download(RemotePath remote) throws IOException {
    RemoteFiles files = new RemoteFiles(api());
    if (target.equals("-")) {
      files.read(remote, terminal()::writeUnfiltered);
      return;
    }
    Path local = Path.of(target);
    Path file = Files.isDirectory(local) ? local.resolve(remote.name()) : local;
    try {
      downloadFile(files, remote, file);
    } catch (AppException e) {
      if (e.code() != ErrorCode.CONFLICT || !e.text().code().equals("error.not-a-file")) {
        throw e;
      }
      downloadDirectory(files, remote, file);
    }
  }

  private void downloadDirectory(RemoteFiles files, RemotePath remote, Path local)
      throws IOException {
    Files.createDirectories(local);
    for (Json entry : files.list(remote)) {
      String name = entry.string("name");
      // A name without text cannot be requested, and no name may lead to another directory.
      boolean isPlain =
          entry.isTrue("text") && !name.equals("..") && Path.of(name).getNameCount() == 1;
      if (isPlain && entry.string("kind").equals("directory")) {
        downloadDirectory(files, remote.child(name), local.resolve(name));
      } else if (isPlain && entry.string("kind").equals("file")) {
        downloadFile(files, remote.child(name), local.resolve(name));
      } else {
        noteSkipped(remote.child(name).toString());
      }
    }
  }

  /** Downloads to a temporary file, because an incomplete file would look complete. */
  private void downloadFile(RemoteFiles files, RemotePath remote, Path local) throws IOException {
    try (ApiClient.Stream stream = files.open(remote)) {
      Path part =
          Files.createTempFile(local.toAbsolutePath().getParent(), ".trainyard-download-", "");
      try {
        long size;
        try (OutputStream out = progress.watch(local.toString(), Files.newOutputStream(part))) {
          size = stream.bytes().transferTo(out);
        }
        Files.move(part, local, StandardCopyOption.REPLACE_EXISTING);
        progress.fileCopied(size);
      } finally {
        Files.deleteIfExists(part);
      }
    }
  }
}
