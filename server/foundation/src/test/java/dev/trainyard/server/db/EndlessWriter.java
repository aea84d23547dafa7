package dev.trainyard.server.db;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/** A program that writes from many threads until it is killed, and prints acknowledged writes. */
final class EndlessWriter {
  private EndlessWriter() {}

  public static void main(String[] args) {
    SqliteDb db = SqliteDb.open(Path.of(args[0]), WriteObserver.NONE);
    AtomicInteger next = new AtomicInteger();
    for (int i = 0; i < 8; i++) {
      Thread.ofPlatform()
          .start(
              () -> {
                while (true) {
                  String name = "n" + next.incrementAndGet();
                  db.write(
                      handle ->
                          handle.execute(
                              "insert into counter (name, next_value) values (?, 0)", name));
                  System.out.println(name);
                }
              });
    }
  }
}
