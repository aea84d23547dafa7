package dev.trainyard.scheduler;

import dev.trainyard.model.DataSize;
import dev.trainyard.model.TaskResources;
import dev.trainyard.scheduler.QueuedJob.Demand;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.RandomAccess;

/**
 * An immutable list of demands that is stored as bytes. A job may have 10,000 roles, and thousands
 * of jobs may wait: a role takes about 170 bytes of heap as objects, but only about 20 bytes when
 * encoded. Elements are created when they are read.
 */
final class DemandList extends AbstractList<Demand> implements RandomAccess {
  /**
   * Minimum number of demands that are encoded. Shorter lists are stored as objects, which are read
   * faster.
   */
  private static final int MIN_ENCODED_SIZE = 16;

  /** Name, number of tasks, position of the resources and number of ports of each role. */
  private final byte[] roles;

  private final int[] positions;

  /** All different combinations of resources in the list. */
  private final byte[] resources;

  private final String[] deviceTypes;

  private DemandList(List<Demand> demands) {
    Encoder encodedRoles = new Encoder();
    Encoder encodedResources = new Encoder();
    Map<TaskResources, Integer> positionByResources = new HashMap<>();
    List<String> types = new ArrayList<>();
    Map<String, Integer> typeIndices = new HashMap<>();
    positions = new int[demands.size()];
    int index = 0;
    for (Demand demand : demands) {
      Integer position = positionByResources.get(demand.each());
      if (position == null) {
        position = encodedResources.size();
        positionByResources.put(demand.each(), position);
        String type = demand.each().deviceType();
        if (typeIndices.putIfAbsent(type, types.size()) == null) {
          types.add(type);
        }
        encodedResources.writeNumber(demand.each().cpus());
        encodedResources.writeNumber(demand.each().memory().bytes());
        encodedResources.writeNumber(demand.each().sharedMemory().bytes());
        encodedResources.writeNumber(demand.each().devices());
        encodedResources.writeNumber(typeIndices.get(type));
      }
      positions[index++] = encodedRoles.size();
      encodedRoles.writeText(demand.role());
      encodedRoles.writeNumber(demand.tasks());
      encodedRoles.writeNumber(position);
      encodedRoles.writeNumber(demand.ports());
    }
    roles = encodedRoles.toByteArray();
    resources = encodedResources.toByteArray();
    deviceTypes = types.toArray(new String[0]);
  }

  /** Returns an immutable copy that takes little memory. */
  static List<Demand> copyOf(List<Demand> demands) {
    if (demands instanceof DemandList) {
      return demands;
    }
    return demands.size() < MIN_ENCODED_SIZE ? List.copyOf(demands) : new DemandList(demands);
  }

  @Override
  public Demand get(int index) {
    Decoder roleDecoder = new Decoder(roles, positions[index]);
    String name = roleDecoder.readText();
    int tasks = (int) roleDecoder.readNumber();
    Decoder resourceDecoder = new Decoder(resources, (int) roleDecoder.readNumber());
    return new Demand(
        name,
        tasks,
        new TaskResources(
            (int) resourceDecoder.readNumber(),
            new DataSize(resourceDecoder.readNumber()),
            new DataSize(resourceDecoder.readNumber()),
            (int) resourceDecoder.readNumber(),
            deviceTypes[(int) resourceDecoder.readNumber()]),
        (int) roleDecoder.readNumber());
  }

  @Override
  public int size() {
    return positions.length;
  }

  /** Returns the number of heap bytes that the encoded list takes, without object headers. */
  int encodedSize() {
    return roles.length + resources.length + Integer.BYTES * positions.length;
  }

  /** Writes numbers in groups of seven bits, the lowest first. */
  private static final class Encoder extends ByteArrayOutputStream {
    void writeNumber(long value) {
      long remaining = value;
      while ((remaining & ~0x7fL) != 0) {
        write((int) (remaining & 0x7f) | 0x80);
        remaining >>>= 7;
      }
      write((int) remaining);
    }

    void writeText(String text) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      writeNumber(bytes.length);
      writeBytes(bytes);
    }
  }

  private static final class Decoder {
    private final byte[] bytes;
    private int position;

    Decoder(byte[] bytes, int position) {
      this.bytes = bytes;
      this.position = position;
    }

    long readNumber() {
      long value = 0;
      for (int shift = 0; ; shift += 7) {
        byte next = bytes[position++];
        value |= (next & 0x7fL) << shift;
        if (next >= 0) {
          return value;
        }
      }
    }

    String readText() {
      int length = (int) readNumber();
      String text = new String(bytes, position, length, StandardCharsets.UTF_8);
      position += length;
      return text;
    }
  }
}
