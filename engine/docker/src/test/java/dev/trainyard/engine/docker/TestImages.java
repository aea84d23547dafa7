package dev.trainyard.engine.docker;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.BuildImageResultCallback;
import com.github.dockerjava.api.exception.NotFoundException;
import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.testkit.Requirement;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Images that are built without network access from programs of this host; removed after the tests.
 */
final class TestImages {
  /** DOCKER_HOST may name another engine, such as Podman, to test the differences. */
  static final Path SOCKET =
      Path.of(
          System.getenv()
              .getOrDefault("DOCKER_HOST", "unix:///var/run/docker.sock")
              .replaceFirst("^unix://", ""));

  private static final String PREFIX = "trainyard-test-" + ProcessHandle.current().pid() + "/";
  private static final Map<String, String> BUILT_IMAGES = new ConcurrentHashMap<>();

  /**
   * Reason why a socket cannot be used; determined once because an attempt can last until its
   * timeout.
   */
  private static final Map<Path, String> UNUSABLE_REASONS = new ConcurrentHashMap<>();

  private static final Pattern LIBRARY = Pattern.compile("(/\\S+) \\(0x");
  private static final List<String> PROGRAMS =
      List.of(
          "bash sh cat ls sleep stat tr sort grep sed head tail wc touch readlink hostname id env",
          "mkdir rm ln chmod chown cp mv dd mknod seq timeout setsid pgrep ps stty tty printf true",
          "false kill uname df find mount nproc yes");

  private static DockerConnection connection;

  private TestImages() {}

  /** Returns the connection that all tests share; skips the test if no engine responds. */
  static synchronized DockerConnection connection() {
    if (connection == null) {
      requireResponse(SOCKET);
      connection = DockerConnection.open(SOCKET);
      Runtime.getRuntime().addShutdownHook(new Thread(TestImages::removeAll));
    }
    return connection;
  }

  /** Skips the test if no engine responds at this socket. */
  static void requireResponse(Path socket) {
    Requirement.require("docker", Files.exists(socket), "no Docker engine runs");
    Requirement.require("docker", Files.isWritable(socket), "its socket is not accessible");
    String reason = UNUSABLE_REASONS.computeIfAbsent(socket, TestImages::unusableReason);
    Requirement.require("docker", reason.isEmpty(), reason);
  }

  private static String unusableReason(Path socket) {
    try {
      DockerConnection.open(socket).close();
      return "";
    } catch (EngineException e) {
      return "a socket exists, but " + e.getMessage();
    }
  }

  private static void removeAll() {
    for (String image : BUILT_IMAGES.values()) {
      connection.client().removeImageCmd(image).withForce(true).exec();
    }
  }

  /** Returns an image with bash and other programs that scripts use. */
  static String hostPrograms() {
    return BUILT_IMAGES.computeIfAbsent(
        "machine", name -> build(name, "ENV FROM_IMAGE=yes\n", TestImages::addHostPrograms));
  }

  /** Returns an image with busybox only, and a user and a working directory of its own. */
  static String busybox() {
    return BUILT_IMAGES.computeIfAbsent(
        "busybox",
        name ->
            build(
                name,
                """
                ENV HOME=/work
                USER someone
                WORKDIR /work
                VOLUME /extra
                HEALTHCHECK CMD /bin/false
                ENTRYPOINT ["/bin/false"]
                """,
                TestImages::addBusybox));
  }

  /** Returns an image with busybox and the given settings, for example of a hostile author. */
  static String busybox(String name, String lines) {
    return BUILT_IMAGES.computeIfAbsent(name, key -> build(key, lines, TestImages::addBusybox));
  }

  /**
   * Like {@link #busybox(String, String)}, but with symbolic links, given by path, for example
   * {@code work}, and target.
   */
  static String busybox(String name, String lines, Map<String, String> links) {
    return BUILT_IMAGES.computeIfAbsent(
        name,
        key ->
            build(
                key,
                lines,
                root -> {
                  addBusybox(root);
                  for (var link : links.entrySet()) {
                    Path directory = root.resolve(link.getKey());
                    Files.createDirectories(directory.getParent());
                    Files.createSymbolicLink(directory, Path.of(link.getValue()));
                  }
                }));
  }

  /** Returns an image without any program. */
  static String empty() {
    return BUILT_IMAGES.computeIfAbsent(
        "empty", name -> build(name, "", root -> Files.writeString(root.resolve("file"), "x")));
  }

  private interface RootFiller {
    void fill(Path root) throws IOException, InterruptedException;
  }

  private static String build(String name, String lines, RootFiller rootFiller) {
    return build(connection().client(), PREFIX + name + ":1", lines, rootFiller);
  }

  /** Like {@link #hostPrograms()}, but at another engine. */
  static String hostPrograms(DockerClient docker) {
    return build(docker, PREFIX + "machine:1", "ENV FROM_IMAGE=yes\n", TestImages::addHostPrograms);
  }

  private static String build(
      DockerClient docker, String tag, String lines, RootFiller rootFiller) {
    try {
      Path directory = Files.createTempDirectory("trainyard-image");
      Path root = Files.createDirectory(directory.resolve("root"));
      rootFiller.fill(root);
      Files.writeString(
          directory.resolve("Dockerfile"),
          "FROM scratch\nLABEL dev.trainyard.test=1\nCOPY root/ /\n" + lines);
      Process tar =
          new ProcessBuilder("tar", "-C", directory.toString(), "-c", ".")
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      try (InputStream context = tar.getInputStream()) {
        docker
            .buildImageCmd(context)
            .withTags(Set.of(tag))
            .exec(new BuildImageResultCallback())
            .awaitImageId();
      }
      TestHost.run("rm", "-rf", directory.toString());
      return tag;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void addHostPrograms(Path root) throws IOException, InterruptedException {
    for (String name : List.of("tmp", "var", "etc", "proc", "usr/bin", "usr/lib", "usr/sbin")) {
      Files.createDirectories(root.resolve(name));
    }
    Files.createSymbolicLink(root.resolve("bin"), Path.of("usr/bin"));
    Files.createSymbolicLink(root.resolve("sbin"), Path.of("usr/sbin"));
    Files.createSymbolicLink(root.resolve("lib"), Path.of("usr/lib"));
    Files.createSymbolicLink(root.resolve("lib64"), Path.of("usr/lib64"));
    Files.createDirectories(root.resolve("usr/lib64"));
    TestHost.run("chmod", "1777", root.resolve("tmp").toString());
    Files.writeString(root.resolve("etc/passwd"), "root:x:0:0:root:/root:/bin/bash\n");
    Set<String> files = new TreeSet<>();
    for (String program : String.join(" ", PROGRAMS).split(" ", -1)) {
      Path file = Path.of("/usr/bin").resolve(program);
      if (Files.exists(file)) {
        files.add(file.toString());
        Matcher library = LIBRARY.matcher(TestHost.run("ldd", file.toString()));
        while (library.find()) {
          files.add(library.group(1));
        }
      }
    }
    for (String file : files) {
      Path target = root.resolve(file.substring(1));
      Files.createDirectories(target.getParent());
      TestHost.run("cp", "-L", file, target.toString());
    }
  }

  private static void addBusybox(Path root) throws IOException, InterruptedException {
    Path busybox = Path.of("/bin/busybox");
    Requirement.require("docker", Files.exists(busybox), "busybox-static is not installed");
    Files.createDirectories(root.resolve("bin"));
    Files.createDirectories(root.resolve("etc"));
    TestHost.run("cp", "-L", busybox.toString(), root.resolve("bin/busybox").toString());
    for (String name : TestHost.run("/bin/busybox", "--list").split("\n", -1)) {
      if (!name.isEmpty() && !name.equals("busybox")) {
        Files.createSymbolicLink(root.resolve("bin").resolve(name), Path.of("busybox"));
      }
    }
    Files.writeString(
        root.resolve("etc/passwd"), "root:x:0:0::/:/bin/sh\nsomeone:x:1000:1007::/work:/bin/sh\n");
  }

  /** Returns the IDs of an engine's networks. */
  static List<String> networks(Path data) {
    return networks(connection().client(), data);
  }

  private static List<String> networks(DockerClient docker, Path data) {
    try {
      Labels labels = Labels.load(data.resolve("docker/id"));
      return docker.listNetworksCmd().exec().stream()
          .filter(network -> network.getLabels() != null)
          .filter(network -> labels.serverId().equals(network.getLabels().get(Labels.SERVER)))
          .map(network -> network.getId())
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Removes the networks and mounts that a closed engine leaves for its successor. */
  static void removeNetworks(Path data) {
    removeNetworks(connection().client(), data);
  }

  static void removeNetworks(DockerClient docker, Path data) {
    try {
      Labels labels = Labels.load(data.resolve("docker/id"));
      networks(docker, data).forEach(id -> removeNetwork(docker, id));
      Path mounts = data.toRealPath().resolve("docker/mounts");
      // A failure without root privileges is ignored, because only an empty mount remains.
      TestHost.run("umount", "-l", mounts.toString());
      TestHost.run("rm", "-rf", "/dev/shm/trainyard-" + TestHost.USER + "-" + labels.serverId());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void removeNetwork(DockerClient docker, String id) {
    try {
      docker.removeNetworkCmd(id).exec();
    } catch (NotFoundException e) {
      // The engine removed the network while it was being closed.
    }
  }
}
