import { useEffect, useImperativeHandle, useLayoutEffect, useRef, useState, useSyncExternalStore } from "react";
import { useTexts } from "../../i18n/language";
import { LogRow } from "./LogRow";
import type { LogLinesProps } from "./LogLines";
import { ROW } from "./scroll";
import { logTexts } from "./log-texts";

const HIGHEST = 8_000_000;

/**
 * Virtual list of wrapped lines, whose heights are unknown until they are rendered. The scroll position
 * is a fraction f of the scrollable range. The line at the fraction f of the log is then at the fraction
 * f of the height of the box. The first line is at the top if f is 0, the last line is at the bottom if
 * f is 1, and every line between them can be reached.
 */
export function WrappedLines({ source, following, setFollowing, marked, search, open, ref }: LogLinesProps) {
  const t = useTexts(logTexts);
  useSyncExternalStore(source.onChange, source.version);
  const box = useRef<HTMLDivElement>(null);
  const rows = useRef<HTMLDivElement>(null);
  const [view, setView] = useState(400);
  const [top, setTop] = useState(0);
  const [fits, setFits] = useState(false);
  const count = source.count();
  const range = fits ? 0 : Math.min(HIGHEST, count * ROW);
  const fraction = range === 0 ? 0 : Math.min(1, top / range);
  const point = Math.min(fraction * count, Math.max(0, count - 0.000_001));
  const anchor = Math.floor(point);
  const around = Math.ceil(view / ROW) + 2;
  const first = Math.max(0, anchor - around);
  const last = Math.min(count, anchor + around + 1);
  const extent = source.extent();

  useLayoutEffect(() => {
    const watch = new ResizeObserver(() => setView(box.current?.clientHeight ?? 400));
    watch.observe(box.current!);
    return () => watch.disconnect();
  }, []);
  // A log that is shorter than the box starts at its top and is not scrolled.
  useLayoutEffect(() => {
    const heights = [...(rows.current?.children ?? [])].map((part) => (part as HTMLElement).offsetHeight);
    setFits(first === 0 && last === count && heights.reduce((sum, height) => sum + height, 0) <= view);
  }, [first, last, count, view, extent, search]);
  useLayoutEffect(() => {
    if (following) {
      box.current!.scrollTop = range;
      setTop(range);
    }
  }, [following, range, view]);
  useEffect(() => source.want(first, last), [source, first, last, extent]);
  useImperativeHandle(ref, () => ({
    goTo: (line) => {
      setFollowing(false);
      const to = ((line + 0.5) / Math.max(1, source.count())) * range;
      box.current!.scrollTop = to;
      setTop(to);
    },
    toEnd: () => setFollowing(true),
  }));
  const scrolled = () => {
    const now = box.current!.scrollTop;
    if (Math.abs(now - top) >= 1) {
      setTop(now);
      setFollowing(now >= range - ROW);
    }
  };
  const width = String(count).length;
  const list = (from: number, to: number) =>
    Array.from({ length: Math.max(0, to - from) }, (_, i) => (
      <LogRow key={from + i} number={from + i} width={width} line={source.line(from + i)} marked={from + i === marked} search={search} open={open} />
    ));
  return (
    <div ref={box} className="log-box wrapped" onScroll={scrolled} role="log" aria-label={t.label} aria-live="off" tabIndex={0}>
      <div className="log-space" style={{ height: range + view }}>
        <div ref={rows} className="log-anchor" style={{ top: Math.min(top, range) + fraction * view, transform: `translateY(${-(point - anchor) * 100}%)` }}>
          <div className="log-before">{list(first, anchor)}</div>
          <div>{list(anchor, Math.min(anchor + 1, count))}</div>
          <div className="log-after">{list(anchor + 1, last)}</div>
        </div>
      </div>
    </div>
  );
}
