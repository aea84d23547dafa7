export type Change = { readonly kind: "same" | "added" | "removed"; readonly text: string };

/** If two files differ in more lines than this, the view shows one file after the other instead of their differences. */
const MOST_CHANGES = 4_000;

/** Returns the line changes between two texts (Myers' algorithm). */
export function lineDiff(before: string, after: string): Change[] {
  const a = before.split("\n");
  const b = after.split("\n");
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const same = (lines: string[]): Change[] => lines.map((text) => ({ kind: "same", text }));
  return [
    ...same(a.slice(0, head)),
    ...middle(a.slice(head, a.length - tail), b.slice(head, b.length - tail)),
    ...same(tail === 0 ? [] : a.slice(-tail)),
  ];
}

function middle(a: readonly string[], b: readonly string[]): Change[] {
  const trace = forward(a, b);
  if (!trace) {
    return [...a.map((text): Change => ({ kind: "removed", text })), ...b.map((text): Change => ({ kind: "added", text }))];
  }
  const changes: Change[] = [];
  let x = a.length;
  let y = b.length;
  for (let d = trace.length - 1; d >= 0; d--) {
    const reached = trace[d]!;
    const k = x - y;
    const down = k === -d || (k !== d && (reached.get(k - 1) ?? -1) < (reached.get(k + 1) ?? -1));
    const fromK = down ? k + 1 : k - 1;
    const fromX = d === 0 ? 0 : (reached.get(fromK) ?? 0);
    const fromY = d === 0 ? 0 : fromX - fromK;
    while (x > fromX && y > fromY) {
      changes.push({ kind: "same", text: a[--x]! });
      y--;
    }
    if (d > 0) {
      changes.push(down ? { kind: "added", text: b[--y]! } : { kind: "removed", text: a[--x]! });
    }
  }
  return changes.reverse();
}

/** Returns the furthest position on each diagonal before each step; null if there are too many changes. */
function forward(a: readonly string[], b: readonly string[]): Map<number, number>[] | null {
  const trace: Map<number, number>[] = [];
  const far = new Map<number, number>([[1, 0]]);
  for (let d = 0; d <= Math.min(a.length + b.length, MOST_CHANGES); d++) {
    trace.push(new Map(far));
    for (let k = -d; k <= d; k += 2) {
      const down = k === -d || (k !== d && (far.get(k - 1) ?? -1) < (far.get(k + 1) ?? -1));
      let x = down ? (far.get(k + 1) ?? 0) : (far.get(k - 1) ?? 0) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      far.set(k, x);
      if (x >= a.length && x - k >= b.length) {
        return trace;
      }
    }
  }
  return null;
}
