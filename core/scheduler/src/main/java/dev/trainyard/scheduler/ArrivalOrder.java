package dev.trainyard.scheduler;

import dev.trainyard.model.JobId;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;

/**
 * Waiting jobs in the order of their IDs. They are stored in sorted blocks: counting the jobs ahead
 * of a job adds up the sizes of the blocks before it (a few hundred additions for 100,000 jobs),
 * and adding or removing a job moves only part of one block.
 */
final class ArrivalOrder implements Iterable<QueuedJob> {
  private static final int MAX_BLOCK_SIZE = 512;

  private final List<List<QueuedJob>> blocks = new ArrayList<>();

  /** Adds a job, or replaces the job with the same ID. */
  void put(QueuedJob job) {
    if (blocks.isEmpty()) {
      blocks.add(new ArrayList<>());
    }
    int blockIndex = blockOf(job.id());
    List<QueuedJob> block = blocks.get(blockIndex);
    int index = indexOf(block, job.id());
    if (index >= 0) {
      block.set(index, job);
      return;
    }
    block.add(-index - 1, job);
    if (block.size() > MAX_BLOCK_SIZE) {
      split(blockIndex, -index == block.size());
    }
  }

  /**
   * Splits a full block. If the new job was appended, which is the usual case, the old block stays
   * full; otherwise the block is split into halves.
   */
  private void split(int blockIndex, boolean isAppended) {
    List<QueuedJob> block = blocks.get(blockIndex);
    List<QueuedJob> tail =
        block.subList(isAppended ? block.size() - 1 : MAX_BLOCK_SIZE / 2, block.size());
    blocks.add(blockIndex + 1, new ArrayList<>(tail));
    tail.clear();
  }

  void remove(JobId id) {
    if (blocks.isEmpty()) {
      return;
    }
    int blockIndex = blockOf(id);
    List<QueuedJob> block = blocks.get(blockIndex);
    int index = indexOf(block, id);
    if (index >= 0) {
      block.remove(index);
      if (block.isEmpty()) {
        blocks.remove(blockIndex);
      }
    }
  }

  Optional<QueuedJob> find(JobId id) {
    if (blocks.isEmpty()) {
      return Optional.empty();
    }
    List<QueuedJob> block = blocks.get(blockOf(id));
    int index = indexOf(block, id);
    return index < 0 ? Optional.empty() : Optional.of(block.get(index));
  }

  Optional<QueuedJob> first() {
    return blocks.isEmpty() ? Optional.empty() : Optional.of(blocks.getFirst().getFirst());
  }

  /** Returns the number of jobs with a smaller ID. */
  int countAhead(JobId id) {
    if (blocks.isEmpty()) {
      return 0;
    }
    int blockIndex = blockOf(id);
    int count = 0;
    for (int i = 0; i < blockIndex; i++) {
      count += blocks.get(i).size();
    }
    int index = indexOf(blocks.get(blockIndex), id);
    return count + (index < 0 ? -index - 1 : index);
  }

  /**
   * Implemented by hand because the iterator of a flattened stream would copy a whole block to
   * return its first job.
   */
  @Override
  public Iterator<QueuedJob> iterator() {
    return new Iterator<>() {
      private int block;
      private int index;

      @Override
      public boolean hasNext() {
        return block < blocks.size();
      }

      @Override
      public QueuedJob next() {
        if (!hasNext()) {
          throw new NoSuchElementException();
        }
        QueuedJob job = blocks.get(block).get(index++);
        if (index == blocks.get(block).size()) {
          block++;
          index = 0;
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
  private static int indexOf(List<QueuedJob> block, JobId id) {
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
