import { useCallback, useEffect, useImperativeHandle, useLayoutEffect, useRef, useState, useSyncExternalStore, type Ref, type WheelEvent } from "react";
import { useTexts } from "../../i18n/language";
import { LogRow } from "./LogRow";
import type { LogSource } from "./log-source";
import { ROW, Scale } from "./scroll";
import { logTexts } from "./log-texts";

export interface LogLinesHandle {
  readonly goTo: (line: number) => void;
  readonly toEnd: () => void;
}

export interface LogLinesProps {
  readonly source: LogSource;
  readonly following: boolean;
  /** Called when the user scrolls away from the end or back to it. */
  readonly setFollowing: (following: boolean) => void;
  readonly marked: number | null;
  readonly search: string;
  readonly open: (line: number) => void;
  readonly ref: Ref<LogLinesHandle>;
}

const OVERSCAN = 12;

/** Virtual list of log lines: only the visible rows are in the DOM, so that logs can have any length. */
export function LogLines(props: LogLinesProps) {
  const { source, following, setFollowing } = props;
  const t = useTexts(logTexts);
  useSyncExternalStore(source.onChange, source.version);
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState(400);
  const [pixels, setPixels] = useState(0);
  const wheel = useRef({ from: 0, turned: 0, frame: 0 });
  useEffect(() => {
    wheel.current.from = pixels;
  });
  useEffect(() => () => cancelAnimationFrame(wheel.current.frame), []);
  /** The position that this component scrolled to; the resulting scroll event is ignored. */
  const own = useRef(-1);
  const count = source.count();
  const extent = source.extent();
  const scale = new Scale(count, view);

  const moveTo = useCallback(
    (to: number) => {
      const now = new Scale(source.count(), box.current?.clientHeight ?? view);
      const there = Math.min(Math.max(0, to), now.bottom);
      setPixels(there);
      if (box.current) {
        box.current.scrollTop = now.scrollTop(there);
        own.current = box.current.scrollTop;
      }
      return there >= now.bottom - 1;
    },
    [source, view],
  );

  useLayoutEffect(() => {
    const watch = new ResizeObserver(() => setView(box.current?.clientHeight ?? 400));
    watch.observe(box.current!);
    return () => watch.disconnect();
  }, []);

  useLayoutEffect(() => {
    if (following) {
      moveTo(Number.MAX_SAFE_INTEGER);
    }
  }, [following, count, view, moveTo]);

  useImperativeHandle(props.ref, () => ({
    goTo: (line) => {
      setFollowing(false);
      moveTo(line * ROW - view / 3);
    },
    toEnd: () => setFollowing(true),
  }));

  const first = Math.max(0, Math.floor(pixels / ROW) - OVERSCAN);
  const last = Math.min(count, Math.ceil((pixels + view) / ROW) + OVERSCAN);
  useEffect(() => source.want(first, last), [source, first, last, extent]);

  const scrolled = () => {
    const element = box.current!;
    if (Math.abs(element.scrollTop - own.current) < 1) {
      return;
    }
    own.current = -1;
    const now = scale.pixels(element.scrollTop);
    setPixels(now);
    setFollowing(now >= scale.bottom - ROW);
  };
  // Wheel events arrive more often than frames; handling each of them would force a layout every time.
  const wheeled = (event: WheelEvent) => {
    if (scale.isShrunk && !event.ctrlKey && event.deltaY !== 0) {
      const { current } = wheel;
      current.turned += event.deltaY * (event.deltaMode === 1 ? ROW : event.deltaMode === 2 ? view : 1);
      current.frame ||= requestAnimationFrame(() => {
        const by = current.turned;
        Object.assign(current, { turned: 0, frame: 0 });
        setFollowing(moveTo(current.from + by) && by > 0);
      });
    }
  };

  const width = String(count).length;
  const rows = [];
  for (let number = first; number < last; number++) {
    rows.push(
      <LogRow
        key={number}
        number={number}
        width={width}
        line={source.line(number)}
        marked={number === props.marked}
        search={props.search}
        open={props.open}
      />,
    );
  }
  return (
    <div
      ref={box}
      className={scale.isShrunk ? "log-box shrunk" : "log-box"}
      onScroll={scrolled}
      onWheel={wheeled}
      role="log"
      aria-label={t.label}
      aria-live="off"
      tabIndex={0}
    >
      <div className="log-space" style={{ height: scale.height }}>
        <div className="log-rows" style={{ transform: `translateY(${offset(box.current, scale, pixels, first)}px)` }}>
          {rows}
        </div>
      </div>
    </div>
  );
}

/** Returns the position of the rows at which the intended line is at the top of the view. */
function offset(box: HTMLDivElement | null, scale: Scale, pixels: number, first: number): number {
  return scale.isShrunk ? (box?.scrollTop ?? scale.scrollTop(pixels)) - pixels + first * ROW : first * ROW;
}
