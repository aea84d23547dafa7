import { useEffect, useRef } from "react";
import { FitAddon } from "@xterm/addon-fit";
import { Terminal } from "@xterm/xterm";
import { useTexts } from "../../i18n/language";
import { ExecSocket } from "./exec-socket";
import { terminalTexts } from "./terminal-texts";

interface Props {
  readonly job: string;
  readonly task: { readonly role: string; readonly index: number };
  readonly shown: boolean;
  readonly label: string;
}

const RETRY_KEY = "\r";

/** A terminal with a shell in a task. When the shell has ended, Enter starts a new shell. */
export default function TerminalPane({ job, task, shown, label }: Props) {
  const t = useTexts(terminalTexts);
  const words = useRef(t);
  words.current = t;
  const box = useRef<HTMLDivElement>(null);
  const terminal = useRef<Terminal | null>(null);
  const fit = useRef<FitAddon | null>(null);
  const { role, index } = task;

  useEffect(() => {
    const screen = new Terminal({
      cursorBlink: true,
      fontSize: 13,
      fontFamily: "ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace",
      scrollback: 10_000,
      screenReaderMode: true,
      theme: { background: "#0e1116", foreground: "#e6edf3" },
      // Output of programs must not access the clipboard or open windows.
      allowProposedApi: false,
    });
    const size = new FitAddon();
    screen.loadAddon(size);
    screen.open(box.current!);
    size.fit();
    terminal.current = screen;
    fit.current = size;
    const encoder = new TextEncoder();
    let socket: ExecSocket | null = null;
    let over = false;
    const print = (text: string) => screen.write(`\r\n\u001b[90m[${text}]\u001b[0m\r\n`);
    const connect = () => {
      over = false;
      socket = new ExecSocket(job, { role, index }, { columns: screen.cols, rows: screen.rows }, {
        opened: () => socket?.resize(screen.cols, screen.rows),
        output: (bytes) => screen.write(bytes),
        ended: (code, wasOpen, why) => {
          over = true;
          const now = words.current;
          print(code !== null ? now.ended(code) : !wasOpen ? now.refused : why === 1008 ? now.signedOut : now.lost);
          print(now.again);
        },
      });
    };
    connect();
    const typed = screen.onData((text) => {
      if (!over) {
        socket?.input(encoder.encode(text));
      } else if (text === RETRY_KEY) {
        connect();
      }
    });
    const binary = screen.onBinary((text) => socket?.input(Uint8Array.from(text, (character) => character.charCodeAt(0))));
    const resized = screen.onResize(({ cols, rows }) => socket?.resize(cols, rows));
    const watch = new ResizeObserver(() => {
      if (box.current && box.current.clientWidth > 0) size.fit();
    });
    watch.observe(box.current!);
    return () => {
      watch.disconnect();
      typed.dispose();
      binary.dispose();
      resized.dispose();
      socket?.close();
      screen.dispose();
    };
  }, [job, role, index]);

  useEffect(() => {
    if (shown) {
      fit.current?.fit();
      terminal.current?.focus();
    }
  }, [shown]);

  return <div ref={box} className="terminal" role="group" aria-label={label} />;
}
