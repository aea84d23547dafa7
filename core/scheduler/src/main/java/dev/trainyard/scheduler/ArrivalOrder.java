package dev.trainyard.scheduler;

import dev.trainyard.model.JobId;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;

/**
 * Waiting jobs in the order of their IDs. They are stored in sorted blocks: the number of jobs
 * ahead of a given one is the sum of some block sizes (a few hundred additions for 100,000 jobs),
 * and adding or removing a job moves only part of one block.
 */
final class ArrivalOrder implements Iterable<QueuedJob> {
  private static final int MAX_BLOCK = 512;

  private final List<List<QueuedJob>> blocks = new ArrayList<>();

  /** Adds a job, or replaces the one with the same ID. */
  void put(QueuedJob job) {
    if (blocks.isEmpty()) {
      blocks.add(new ArrayList<>());
    }
    int number = blockOf(job.id());
    List<QueuedJob> block = blocks.get(number);
    int at = position(block, job.id());
    if (at >= 0) {
      block.set(at, job);
      return;
    }
    block.add(-at - 1, job);
    if (block.size() > MAX_BLOCK) {
      split(number, -at == block.size());
    }
  }

  /**
   * Splits a full block. Most jobs arrive last; in that case the old block stays full instead of
   * half full.
   */
  private void split(int number, boolean atEnd) {
    List<QueuedJob> block = blocks.get(number);
    List<QueuedJob> tail = block.subList(atEnd ? block.size() - 1 : MAX_BLOCK / 2, block.size());
    blocks.add(number + 1, new ArrayList<>(tail));
    tail.clear();
  }

  void remove(JobId id) {
    if (blocks.isEmpty()) {
      return;
    }
    int number = blockOf(id);
    List<QueuedJob> block = blocks.get(number);
    int at = position(block, id);
    if (at >= 0) {
      block.remove(at);
      if (block.isEmpty()) {
        blocks.remove(number);
      }
    }
  }

  Optional<QueuedJob> find(JobId id) {
    if (blocks.isEmpty()) {
      return Optional.empty();
    }
    List<QueuedJob> block = blocks.get(blockOf(id));
    int at = position(block, id);
    return at < 0 ? Optional.empty() : Optional.of(block.get(at));
  }

  Optional<QueuedJob> first() {
    return blocks.isEmpty() ? Optional.empty() : Optional.of(blocks.getFirst().getFirst());
  }

  /** Returns the number of jobs with a smaller ID. */
  int ahead(JobId id) {
    if (blocks.isEmpty()) {
      return 0;
    }
    int number = blockOf(id);
    int count = 0;
    for (int i = 0; i < number; i++) {
      count += blocks.get(i).size();
    }
    int at = position(blocks.get(number), id);
    return count + (at < 0 ? -at - 1 : at);
  }

  /**
   * Implemented by hand because the iterator of a flattened stream would copy a whole block to
   * return its first job.
   */
  @Override
  public Iterator<QueuedJob> iterator() {
    return new Iterator<>() {
      private int block;
      private int at;

      @Override
      public boolean hasNext() {
        return block < blocks.size();
      }

      @Override
      public QueuedJob next() {
        if (!hasNext()) {
          throw new NoSuchElementException();
        }
        QueuedJob job = blocks.get(block).get(at++);
        if (at == blocks.get(block).size()) {
          block++;
          at = 0;
        }
        return job;
      }
    };
  }

  /** Returns the index of the block that contains this ID or would contain it. */
  private int blockOf(JobId id) {
    int low = 0;
    int high = blocks.size() - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (blocks.get(middle).getFirst().id().compareTo(id) <= 0) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  /** Returns an index like {@link java.util.Collections#binarySearch}. */
  private static int position(List<QueuedJob> block, JobId id) {
    int low = 0;
    int high = block.size() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int order = block.get(middle).id().compareTo(id);
      if (order == 0) {
        return middle;
      } else if (order < 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return -(low + 1);
  }
}
