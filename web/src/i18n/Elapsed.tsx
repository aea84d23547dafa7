import { memo, useSyncExternalStore } from "react";
import { useFormats } from "./format";

/** One timer for all elements that count seconds, so that they update at the same time. */
const watchers = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

function watch(changed: () => void): () => void {
  watchers.add(changed);
  timer ??= setInterval(() => {
    now = Date.now();
    watchers.forEach((watcher) => watcher());
  }, 1_000);
  return () => {
    watchers.delete(changed);
    if (watchers.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };
}

const still = () => () => {};

/** The time since `from`; counts until `to` is known. */
export const Elapsed = memo(function Elapsed(props: { from: number; to: number | null }) {
  const formats = useFormats();
  const current = useSyncExternalStore(props.to === null ? watch : still, () => (props.to === null ? now : props.to));
  return <span className="number">{formats.duration(current - props.from)}</span>;
});
