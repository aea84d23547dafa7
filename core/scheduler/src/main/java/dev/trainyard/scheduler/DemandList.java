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
 * of jobs may wait: as objects, each role takes about 170 bytes of heap, here about 20. Elements
 * are created when they are read.
 */
final class DemandList extends AbstractList<Demand> implements RandomAccess {
  /** Shorter lists are stored as objects because they are read faster. */
  private static final int SMALLEST = 16;

  /** Name, number of tasks, position of the resources and number of ports of each role. */
  private final byte[] roles;

  private final int[] positions;

  /** Each combination of resources that occurs, once. */
  private final byte[] resources;

  private final String[] deviceTypes;

  private DemandList(List<Demand> demands) {
    Encoder encodedRoles = new Encoder();
    Encoder encodedResources = new Encoder();
    Map<TaskResources, Integer> known = new HashMap<>();
    List<String> types = new ArrayList<>();
    Map<String, Integer> typeNumbers = new HashMap<>();
    positions = new int[demands.size()];
    int index = 0;
    for (Demand demand : demands) {
      Integer position = known.get(demand.each());
      if (position == null) {
        position = encodedResources.size();
        known.put(demand.each(), position);
        String type = demand.each().deviceType();
        if (typeNumbers.putIfAbsent(type, types.size()) == null) {
          types.add(type);
        }
        encodedResources.number(demand.each().cpus());
        encodedResources.number(demand.each().memory().bytes());
        encodedResources.number(demand.each().sharedMemory().bytes());
        encodedResources.number(demand.each().devices());
        encodedResources.number(typeNumbers.get(type));
      }
      positions[index++] = encodedRoles.size();
      encodedRoles.text(demand.role());
      encodedRoles.number(demand.tasks());
      encodedRoles.number(position);
      encodedRoles.number(demand.ports());
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
    return demands.size() < SMALLEST ? List.copyOf(demands) : new DemandList(demands);
  }

  @Override
  public Demand get(int index) {
    Decoder role = new Decoder(roles, positions[index]);
    String name = role.text();
    int tasks = (int) role.number();
    Decoder each = new Decoder(resources, (int) role.number());
    return new Demand(
        name,
        tasks,
        new TaskResources(
            (int) each.number(),
            new DataSize(each.number()),
            new DataSize(each.number()),
            (int) each.number(),
            deviceTypes[(int) each.number()]),
        (int) role.number());
  }

  @Override
  public int size() {
    return positions.length;
  }

  /** Heap bytes that the encoded list takes, without object headers. */
  int bytes() {
    return roles.length + resources.length + Integer.BYTES * positions.length;
  }

  /** Writes numbers in groups of seven bits, the lowest first. */
  private static final class Encoder extends ByteArrayOutputStream {
    void number(long value) {
      long left = value;
      while ((left & ~0x7fL) != 0) {
        write((int) (left & 0x7f) | 0x80);
        left >>>= 7;
      }
      write((int) left);
    }

    void text(String text) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      number(bytes.length);
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

    long number() {
      long value = 0;
      for (int shift = 0; ; shift += 7) {
        byte next = bytes[position++];
        value |= (next & 0x7fL) << shift;
        if (next >= 0) {
          return value;
        }
      }
    }

    String text() {
      int length = (int) number();
      String text = new String(bytes, position, length, StandardCharsets.UTF_8);
      position += length;
      return text;
    }
  }
}
